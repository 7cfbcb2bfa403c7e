import { beforeAll, describe, expect, it } from 'vitest';
import { axeFindings, newPage, overflowOf, withBrowser } from './browser-pages.ts';
import { addressOf } from './views.ts';
import { type World, world } from './world.ts';

withBrowser();
let made: World;
beforeAll(async () => {
  made = await world();
});

const unknownId = '00000000-0000-4000-8000-00000000ffff';

describe('an address that says too little or nothing', () => {
  it.each(['/nosuch', '/room', '/session', '/participant', '/transcript', '/webhook'])(
    '%s has a heading, a title, and the way on',
    async (path) => {
      const { page, complaints } = await newPage({ width: 360, height: 780 });
      await page.goto(addressOf({ path: '/rooms' }));
      await page.getByText('/team/standup').first().waitFor();
      await page.evaluate(
        `history.pushState(null, '', '${addressOf({ path })}'); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await expect.poll(() => page.title()).not.toMatch(/^Rooms /); // the list stays until the other view is there
      await page.locator('main section a').first().waitFor();

      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.title()).toMatch(/^.+ – Roomscribe$/);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(complaints).toEqual([]);
      await page.locator('main section a').first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('main [role="alert"]').count()).toBe(0);
    },
  );
});

describe('an address of what there is not', () => {
  it.each([
    ['transcript', `/transcript?id=${unknownId}`, 'All transcriptions', '/transcriptions'],
    ['transcript with an id that is none', '/transcript?id=x', 'All transcriptions', '/transcriptions'],
    ['webhook', `/webhook?id=${unknownId}`, 'All webhooks', '/webhooks'],
    ['webhook with an id that is none', '/webhook?id=x', 'All webhooks', '/webhooks'],
    ['session with an id that is none', '/session?id=x&room=%2Fteam%2Fstandup', 'All rooms', '/rooms'],
    ['participant with an id that is none', '/participant?session=x&id=y', 'All rooms', '/rooms'],
  ])('leads from a %s to the list, and does not offer to try again', async (_, path, link, list) => {
    const { page } = await newPage({ expected: /40[04]/ });
    await page.goto(addressOf({ path }));

    const way = page.getByRole('link', { name: link }).first();
    await way.waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await axeFindings(page)).toEqual([]);

    await way.click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console${list}`);
  });
});

describe('a list with a value that the service does not take', () => {
  it.each([
    ['/rooms?from=yesterday', /createdAt/],
    ['/transcriptions?from=yesterday', /startDateFrom/],
    [`/room?name=%2Fteam%2Fstandup&from=yesterday`, /createdAt|startedAt|from/],
  ])('%s says what is wrong, and leads to the whole list', async (path, named) => {
    const { page } = await newPage({ expected: /400/ });
    await page.goto(addressOf({ path }));

    const problem = page.locator('main [role="alert"]').first();
    await problem.waitFor();
    expect(await problem.innerText()).toMatch(named);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await problem.getByRole('link').click();
    await page.locator('main table').first().waitFor();
  });
});

it('a deployment that is read in private mode, without storage, works as far as the page lives', async () => {
  const { page, complaints } = await newPage();
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
  });
  await page.goto(addressOf({ path: `/transcript?id=${made.readyId}` }));
  await page.locator('ol li').first().waitFor();

  await page.getByLabel('Theme').selectOption('dark');

  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  expect(complaints).toEqual([]);
});
