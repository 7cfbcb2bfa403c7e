import { beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, newPage, overflowOf, withBrowser } from './browser-pages.ts';
import { hostileNames } from './hostile-names.ts';
import { addressOf } from './views.ts';
import { world } from './world.ts';

withBrowser();
beforeAll(async () => void (await world()));

describe.each(hostileNames.map((name, index) => ({ name, index, title: name.slice(0, 30) })))(
  'a room and a person named $title',
  ({ name, index }) => {
    const room = encodeURIComponent(name);
    const session = `00000000-0000-4000-8000-00000000000${index}`;

    it.each([
      ['rooms', `/rooms?find=${encodeURIComponent(name.slice(0, 20))}`],
      ['room', `/room?name=${room}`],
      ['session', `/session?id=${session}&room=${room}`],
      ['participant', `/participant?session=${session}&room=${room}&id=hostile-${index}`],
    ])('are text in the view %s, and never wider than a telephone', async (_view, path) => {
      const { page, complaints } = await newPage({ width: 360, height: 780 });
      let dialogs = 0;
      page.on('dialog', (dialog) => {
        dialogs += 1;
        void dialog.dismiss();
      });

      await page.goto(addressOf({ path }));
      const shown = [...name]
        .slice(1, 8)
        .join('')
        .replace(/[\u202a-\u202e\u2066-\u2069\u200f]/g, '\ufffd');
      await page.getByText(shown).first().waitFor({ state: 'attached' });
      await page.waitForLoadState('networkidle');

      expect(dialogs).toBe(0);
      expect(await page.locator('main img[src="x"], main script').count()).toBe(0);
      expect(await page.locator('main').innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(await overflowOf(page)).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(complaints).toEqual([]);
    });
  },
);
