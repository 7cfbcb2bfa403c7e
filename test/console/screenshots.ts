import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { runFfmpeg } from '../support/media/ffmpeg.ts';
import { newPage, withBrowser } from './browser-pages.ts';
import { addressOf, openUsage, type ViewName, viewsOf } from './views.ts';
import { world } from './world.ts';

// Takes the pictures of the documentation. `npm run screenshots` runs it.

withBrowser();

let views: ReturnType<typeof viewsOf>;
beforeAll(async () => {
  views = viewsOf(await world());
});

const folder = path.resolve('docs/screenshots');
/** Together, the pictures may not weigh more than the rest of the documentation. */
const mostBytes = 150_000;

const pictures: readonly ViewName[] = [
  'rooms',
  'room',
  'session',
  'participant',
  'transcriptions',
  'transcript',
  'usage',
  'webhooks',
  'webhook',
];
const looks = [
  { name: 'light', theme: 'light', width: 1280, height: 800 },
  { name: 'dark', theme: 'dark', width: 1280, height: 800 },
  { name: 'narrow', theme: 'light', width: 360, height: 780 },
] as const;

it.each(pictures.flatMap((view) => looks.map((look) => ({ view, ...look }))))(
  'takes a picture of $view, $name',
  async ({ view, name, ...look }) => {
    const { page } = await newPage(look);
    await withoutChance(page);
    if (view === 'usage') await openUsage(page, views);
    else await page.goto(addressOf(views[view]));
    await page.getByText(views[view].says).first().waitFor();
    await page.waitForLoadState('networkidle');

    await mkdir(folder, { recursive: true });
    const [taken, kept] = ['taken', view].map((file) => path.join(folder, `${file}-${name}.png`)) as [string, string];
    await page.screenshot({ path: taken, animations: 'disabled', caret: 'hide' });
    await runFfmpeg('-i', taken, '-vf', fewColours, kept);
    await rm(taken);

    expect((await readFile(kept)).length).toBeLessThan(mostBytes);
  },
);

/** The 256 most frequent colours are enough for a page, and make its picture a third. */
const fewColours = 'split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=dither=none';

/** Shows the same in every run: no points, and one time at which everything was created. */
async function withoutChance(page: Page): Promise<void> {
  await page.route(/\/v1\/(transcriptions|webhooks|insights)/, async (route) => {
    const response = await route.fetch();
    const headers = Object.fromEntries(
      Object.entries(response.headers()).filter(([header]) => !header.startsWith('x-ratelimit')),
    );
    const isList = /\/v1\/(transcriptions|webhooks)/.test(route.request().url());
    const text = await response.text();
    const body = isList ? text.replace(/"createdAt":"[^"]+"/g, '"createdAt":"2026-03-02T16:00:00.000Z"') : text;
    await route.fulfill({ response, headers, body });
  });
}
