import { beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, newPage, overflowOf, withBrowser } from './browser-pages.ts';
import { withLongTranscript } from './long-transcript.ts';
import { addressOf, type View, type ViewName, viewNames, viewsOf } from './views.ts';
import { world } from './world.ts';

withBrowser();

let views: Readonly<Record<ViewName, View>>;
beforeAll(async () => {
  views = viewsOf(await world());
});

const looks = [
  { theme: 'light', width: 1280, of: viewNames },
  { theme: 'dark', width: 360, of: viewNames },
  { theme: 'dark', width: 3840, of: ['rooms', 'long-session', 'long-participant'] }, // a table, a timeline and charts
] as const;

describe.each(looks)('$theme, $width px:', ({ of, ...look }) => {
  it.each(of)('the view %s shows its data, without what axe or the browser complains about', async (name) => {
    const { page, complaints } = await newPage({ ...look, height: look.width === 3840 ? 2160 : 800 });
    if (name === 'long-transcript') await withLongTranscript(page);
    await page.goto(addressOf(views[name]));

    await page.getByText(views[name].says).first().waitFor();
    await page.waitForLoadState('networkidle');

    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await overflowOf(page)).toBe(0);
    expect(await page.title()).toMatch(/^.+ – Roomscribe$/);
  });
});
