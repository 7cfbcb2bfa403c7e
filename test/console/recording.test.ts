import { beforeAll, expect, it } from 'vitest';
import { newPage, withBrowser } from './browser-pages.ts';
import { addressOf } from './views.ts';
import { type World, world } from './world.ts';

withBrowser();
let made: World;
beforeAll(async () => {
  made = await world();
});

it('the recording plays from the time of a turn, and the turn that is heard is marked', async () => {
  const { page, complaints } = await newPage();
  await page.goto(addressOf({ path: `/transcript?id=${made.readyId}` }));
  await page.locator('audio').waitFor();

  const last = page.locator('ol li').last();
  await last.getByRole('link').click();

  await page.locator('ol li [data-heard="true"]').waitFor();
  expect(await page.evaluate<number>("document.querySelector('audio').currentTime")).toBeGreaterThan(1);
  expect(complaints).toEqual([]);
});

it('a link that has ended is renewed, and the recording goes on where it was', async () => {
  const { page } = await newPage({ expected: /./ });
  let links = 0;
  await page.route('**/recording-link', async (route) => {
    links += 1;
    const answer = await route.fetch();
    const link = await answer.json();
    // The first link has ended already, as after a quarter of an hour.
    const json =
      links === 1 ? { ...link, url: link.url.replace('?', '.ended?'), expiresAt: new Date(0).toISOString() } : link;
    await route.fulfill({ response: answer, json });
  });
  await page.goto(addressOf({ path: `/transcript?id=${made.readyId}` }));
  await page.locator('audio').waitFor();

  await page.locator('ol li').first().getByRole('link').click();

  await page.locator('ol li [data-heard="true"]').waitFor();
  await page.unrouteAll({ behavior: 'wait' }); // no request is under way when the page closes
  expect(links).toBe(2);
});

it('nothing is shown of a recording without a mixed file', async () => {
  const { page } = await newPage();
  await page.goto(addressOf({ path: `/transcript?id=${made.meetingId}` }));
  await page.locator('ol li').first().waitFor();
  await page.waitForLoadState('networkidle');

  expect(await page.locator('audio').count()).toBe(0);
});
