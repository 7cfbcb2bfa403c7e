import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { token } from '../support/machine.ts';
import { axeFindings, newPage, withBrowser } from './browser-pages.ts';
import { type HostedConsole, startHostedConsole } from './hosted-console.ts';
import { acme, type World, world } from './world.ts';

withBrowser();

let made: World;
let hosted: HostedConsole;
let shown = '';

beforeAll(async () => {
  made = await world();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  hosted = await startHostedConsole(() => ({ signIn: 'token', token: shown, expiresAt }));
});
afterAll(() => hosted?.stop());
beforeEach(async () => {
  hosted.api = 'up';
  shown = await token(acme);
});

const open = async (path: string) => {
  const { page } = await newPage({ expected: /./ });
  await page.goto(`${hosted.url}${path}`);
  return page;
};

it('says that the service cannot be reached, and shows the view when it can be again', async () => {
  hosted.api = 'down';
  const page = await open('rooms');
  await page.getByText('The service cannot be reached.').waitFor();
  expect(await axeFindings(page)).toEqual([]);

  hosted.api = 'up';
  await page.getByRole('button', { name: 'Try again' }).click();

  await page.getByText('/team/standup').first().waitFor();
});

it('says without a network that the service cannot be reached, instead of waiting in silence', async () => {
  const page = await open('rooms');
  await page.getByText('/team/standup').first().waitFor();
  await page.context().setOffline(true);

  await page.getByLabel('Find by name').fill('standup');
  await page.getByText('The service cannot be reached.').waitFor();

  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('/team/standup').first().waitFor();
});

it('waits for points by itself, and says for how long', async () => {
  hosted.api = 'limited';
  const page = await open('rooms');
  await page.getByText(/^The points of this minute are spent\. This goes on by itself in \d+ seconds?\.$/).waitFor();
  expect(await axeFindings(page)).toEqual([]);

  hosted.api = 'up';

  await page.getByText('/team/standup').first().waitFor();
  expect(await page.getByText('points of this minute are spent').count()).toBe(0);
});

it.each(['rooms', 'transcriptions', 'webhooks', 'usage?from=2026-03-01&to=2026-03-03'])(
  'says in the view %s that the service has a problem, with the id of the request',
  async (path) => {
    hosted.api = 'busy';
    const page = await open(path);

    await page.getByText('The service is busy or has a problem.').first().waitFor();
    await page.getByText('request-of-the-test').first().waitFor();
  },
);

it('says what to do if the token of this machine is refused', async () => {
  shown = 'a.b.c';
  const page = await open('rooms');

  await page.getByText('The service does not take the token any more.').waitFor();
});

it('says that a transcription does not exist, in which state it is, and why it failed', async () => {
  const unknown = await open('transcript?id=00000000-0000-4000-8000-000000000000');
  await unknown.getByText('There is no such transcription.').waitFor();

  const running = await open(`transcript?id=${made.inProgressId}`);
  await running.getByText('The transcription is in progress.').waitFor();

  const failed = await open(`transcript?id=${made.failedId}`);
  await failed.getByText('What you can do').waitFor();
});

it('shows the file of a platform as it is, and says where one is that the platform keeps', async () => {
  const platform = await open(`transcript?id=${made.platformId}`);
  await platform.getByText('Good morning, and welcome.').waitFor();

  const own = await open(`transcript?id=${made.selfHostedId}`);
  await own.getByText('captions.vtt').waitFor();
});

it('says that there is no such page', async () => {
  const page = await open('nowhere');

  await page.getByText('There is no such page.').waitFor();
});
