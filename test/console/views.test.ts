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

describe.each(viewNames)('the view %s', (name) => {
  it.each([
    { theme: 'light', width: 1280 },
    { theme: 'dark', width: 1280 },
    { theme: 'light', width: 360 },
    { theme: 'dark', width: 3840 },
  ] as const)('shows its data, without what axe or the browser complains about: $theme, $width px', async (look) => {
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
