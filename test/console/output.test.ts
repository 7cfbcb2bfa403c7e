import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newPage, withBrowser } from './browser-pages.ts';
import { withLongTranscript } from './long-transcript.ts';
import { addressOf, openUsage, type View, type ViewName, viewNames, viewsOf } from './views.ts';
import { type World, world } from './world.ts';

withBrowser();

let made: World;
let views: Readonly<Record<ViewName, View>>;
beforeAll(async () => {
  made = await world();
  views = viewsOf(made);
});

describe('times', () => {
  it('are in the zone of the reader, and in UTC by a switch that the browser remembers', async () => {
    const { page } = await newPage({ timezoneId: 'Asia/Tokyo' });
    await page.goto(addressOf({ path: `/transcript?id=${made.readyId}` }));
    const started = page.locator('time[datetime^="2026-03-02T09:00:00"]').first();
    await started.waitFor();
    expect(await started.innerText()).toContain('18:00');

    await page.getByLabel('Times').selectOption('utc');

    expect(await started.innerText()).toContain('09:00');
    await page.reload();
    await started.waitFor();
    expect(await started.innerText()).toContain('09:00');
  });
});

/** The rows of the CSV that a button downloads, without the headings. */
async function download(page: Page, name = 'Download CSV'): Promise<string[]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  const text = await readFile(await file.path(), 'utf8');
  return text.trimEnd().split('\r\n').slice(1);
}

describe('the CSV', () => {
  it('of the rooms has the rooms of the filter, in the order of the table', async () => {
    const { page } = await newPage();
    await page.goto(addressOf({ path: '/rooms?find=%2Fteam%2F&match=begins' }));
    await page.getByText(/^\d+ rows?$/).waitFor();
    const shown = await page.locator('tbody th').allInnerTexts();

    const rows = await download(page);

    expect(rows.map((row) => row.split(',')[0])).toEqual(shown);
  });

  it('of a session has its people', async () => {
    const { page } = await newPage();
    await page.goto(addressOf(views.session));
    const count = await page.getByText(/^\d+ people$/).innerText();

    expect(await download(page)).toHaveLength(Number.parseInt(count, 10));
  });

  it('of the usage has the days of the table', async () => {
    const { page } = await newPage();
    const shown = await openUsage(page, views);

    expect(await download(page)).toHaveLength(shown);
  });
});

/** Controls that paper has no use for. Headings that sort a table, and the legend of a chart (`aria-pressed`), are printed as text. */
const controls = ['button', 'input', 'select', 'textarea', 'audio']
  .map((control) => `${control}:not(th *, [aria-pressed]):visible`)
  .join(', ');

describe('a printed page', () => {
  it.each(viewNames)('of the view %s has no controls', async (name) => {
    const { page } = await newPage();
    if (name === 'long-transcript') await withLongTranscript(page);
    await page.goto(addressOf(views[name]));
    await page.getByText(views[name].says).first().waitFor();
    await page.emulateMedia({ media: 'print' });

    const left = await page
      .locator(controls)
      .evaluateAll((elements) => elements.map((element) => element.outerHTML.slice(0, 120)));

    expect(left).toEqual([]);
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
});
