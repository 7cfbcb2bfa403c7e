import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newPage, withBrowser } from './browser-pages.ts';
import { withLongTranscript } from './long-transcript.ts';
import { addressOf, type View, type ViewName, viewNames, viewsOf } from './views.ts';
import { type World, world } from './world.ts';

withBrowser();

let made: World;
let views: Readonly<Record<ViewName, View>>;
beforeAll(async () => {
  made = await world();
  views = viewsOf(made);
});

/** What has the focus: its role or tag, and whether the reader can see that. */
const focused = (page: Page) =>
  page.evaluate<{ readonly name: string; readonly isVisible: boolean; readonly hasOutline: boolean }>(`(() => {
    const element = document.activeElement;
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return {
      name: element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40),
      isVisible: element === document.body || (box.width > 0 && box.height > 0),
      hasOutline: element === document.body || element.type === 'date' || /* whose parts have outlines of their own */ style.outlineStyle !== 'none' || style.boxShadow !== 'none',
    };
  })()`);

describe.each(viewNames)('the view %s', (name) => {
  it('gives the focus to one control after the other, and shows where it is', async () => {
    const { page } = await newPage();
    if (name === 'long-transcript') await withLongTranscript(page);
    await page.goto(addressOf(views[name]));
    await page.getByText(views[name].says).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate('document.activeElement.blur()');

    const seen = new Set<string>();
    for (let presses = 0; presses < 25; presses += 1) {
      await page.keyboard.press('Tab');
      const { name: control, isVisible, hasOutline } = await focused(page);
      expect([control, isVisible, hasOutline]).toEqual([control, true, true]);
      seen.add(control);
    }
    expect(seen.size).toBeGreaterThan(8);
  });
});

it('the first control skips the header', async () => {
  const { page } = await newPage();
  await page.goto(addressOf(views.rooms));
  await page.getByText(views.rooms.says).first().waitFor();

  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');

  expect(await page.evaluate('document.activeElement.id')).toBe('content');
});

it('a transcript is searched, jumped in and corrected without a pointer', async () => {
  const { page } = await newPage();
  await withLongTranscript(page);
  await page.goto(addressOf({ path: `/transcript?id=${made.longId}` }));
  await page.getByText('Number 0:').waitFor();

  await page.getByLabel('Find in the transcript').focus();
  await page.keyboard.type('Number 7000:');
  await page.locator('mark', { hasText: 'Number 7000:' }).waitFor();
  await page.getByText('1 of 1').waitFor();

  await page.goto(addressOf({ path: `/transcript?id=${made.longId}&t=79200` }));
  await page.getByText('Number 11000:').waitFor();
  await expect.poll(() => focused(page).then(({ name }) => name)).toMatch(/22:00:00/);

  await page.getByRole('button', { name: 'Rename: Speaker 1' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('Or a name').waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Ada of the keyboard');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  await expect.poll(() => focused(page).then(({ name }) => name)).toMatch(/Rename/);
  await page.getByRole('button', { name: 'Undo: Ada of the keyboard' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Undone.').waitFor();
});
