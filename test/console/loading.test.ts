import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newPage, withBrowser } from './browser-pages.ts';
import { answersOf, giveAnswers } from './given-answers.ts';
import { type HostedConsole, startHostedConsole, withToken } from './hosted-console.ts';

withBrowser();

let hosted: HostedConsole;
beforeAll(async () => {
  hosted = await startHostedConsole(withToken);
});
afterAll(() => hosted?.stop());

let page: Page;
beforeEach(async () => {
  ({ page } = await newPage({ expected: /./ }));
  await giveAnswers(page, answersOf('whole'));
});

const navigation = () => page.getByRole('navigation').getByRole('link', { name: 'Rooms' });

it('a view whose code cannot be loaded leaves the way to the others, and comes with the network', async () => {
  await page.goto(`${hosted.url}rooms`);
  await page.getByText('★ 4').waitFor();
  await page.route('**/usage-view*', (route) => route.abort('internetdisconnected'));
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByText('The code of this view could not be loaded.').waitFor();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await navigation().waitFor();

  await page.unroute('**/usage-view*');
  await page.evaluate('dispatchEvent(new Event("online"))');

  await page.getByText('Days are days of UTC.').waitFor();
});

it('a view whose code a new version has replaced comes by itself, at the same address', async () => {
  await page.goto(`${hosted.url}rooms`);
  await page.getByText('★ 4').waitFor();
  await page.route('**/usage-view*', (route) => route.fulfill({ status: 404 }), { times: 2 });
  const newVersion = '<script type="module" src="/console/assets/new.js"></script>';
  await page.route(hosted.url, (route) => route.fulfill({ contentType: 'text/html', body: newVersion }));

  await page.getByRole('link', { name: 'Usage' }).click();

  await page.getByText('Days are days of UTC.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/usage');
});

it('shows at once that it tries again to load a view', async () => {
  await page.goto(`${hosted.url}rooms`);
  await page.getByText('★ 4').waitFor();
  await page.route('**/usage-view*', (route) => route.abort('internetdisconnected'));
  await page.getByRole('link', { name: 'Usage' }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.route(hosted.url, () => {});

  await again.click();

  await page.locator('main').getByText('Loading…').waitFor();
});

it('an answer that is not of the service is named, and not called unreachable', async () => {
  await page.route('**/v1/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Log in to the network</h1>' }),
  );
  await page.goto(`${hosted.url}rooms`);

  await page.getByText(/answered 200 with text\/html, but the answer is not from this API\. A proxy/).waitFor();
  expect(await page.getByText('cannot be reached').count()).toBe(0);
});

it('a service that never answers is named after 35 seconds, and asked again if the reader wants', async () => {
  await page.clock.install();
  await page.route('**/v1/**', () => {});
  await page.goto(`${hosted.url}rooms`);
  await page.getByText('Loading…').waitFor();
  await page.clock.fastForward(6_000);
  await page.getByText('There is no answer yet.').waitFor();
  await page.clock.fastForward(30_000);

  await page.getByText('The service did not answer in time.').waitFor();
  await navigation().waitFor();
  await page.unroute('**/v1/**');
  await giveAnswers(page, answersOf('whole'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('★ 4').waitFor();
});
