import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { withBrowser } from './browser-pages.ts';
import { type HostedConsole, hostedUrl, startHostedConsole } from './hosted-console.ts';
import { type OidcIssuer, startOidcIssuer } from './oidc-issuer.ts';
import { logIn, signInAt } from './sign-in.ts';
import { type World, world } from './world.ts';

withBrowser();

let made: World;
let issuer: OidcIssuer;
let hosted: HostedConsole;

beforeAll(async () => {
  made = await world();
});

beforeEach(async () => {
  issuer = await startOidcIssuer(hostedUrl);
  const config = { signIn: 'oidc', clientId: issuer.clientId, scope: 'openid', issuer: issuer.url, deployment: 'prod' };
  hosted = await startHostedConsole(() => config, { issuer: issuer.url });
  return () => {
    hosted.stop();
    issuer.stop();
  };
});

const tokensKey = 'roomscribe.tokens';

const signedIn = (name: string, path: string) => signInAt(hosted, issuer, name, path);

/** Lets the access token in this tab end. */
const expire = (page: Page) =>
  page.evaluate(`{
    const tokens = JSON.parse(sessionStorage.getItem('${tokensKey}'));
    sessionStorage.setItem('${tokensKey}', JSON.stringify({ ...tokens, renewAt: 0 }));
  }`);

it('an editor logs in, comes to the view of the address, and renames a speaker', async () => {
  const { page, complaints } = await signedIn('ada acme:editor', `/transcript?id=${made.readyId}`);

  await page.getByRole('button', { name: 'Rename: Speaker 1' }).click();
  await page.getByLabel('Or a name').fill('Grace Hopper');
  await page.keyboard.press('Enter');
  await page.getByText('Saved.').waitFor();
  await page.locator('ol').getByText('Grace Hopper').first().waitFor();

  await page.getByRole('button', { name: 'Undo: Grace Hopper' }).click();
  await page.getByText('Undone.').waitFor();
  expect(page.url()).toBe(`${hosted.url}transcript?id=${made.readyId}`);
  expect(complaints).toEqual([]);
});

it('a reader sees everything, and is told why a change is refused', async () => {
  const { page } = await signedIn('ben acme:reader', `/transcript?id=${made.meetingId}`);

  await page.getByRole('button', { name: 'Rename: Ben' }).click();
  await page.getByLabel('Or a name').fill('Somebody else');
  await page.keyboard.press('Enter');

  await page.getByText('You can read, but not change.').waitFor();
  await page.locator('ol').getByText('Ben').first().waitFor();
});

it('a reader cannot delete a transcript, and is told why', async () => {
  const { page } = await signedIn('ben acme:reader', `/transcript?id=${made.meetingId}`);

  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete it' }).click();

  await page.getByText('You can read, but not change.').waitFor();
  await page.reload();
  await page.locator('ol').getByText('Ben').first().waitFor();
});

it('somebody of another organization sees nothing of the first one', async () => {
  const { page } = await signedIn('eve other:editor', `/transcript?id=${made.readyId}`);

  await page.getByText('There is no such transcription.').waitFor();
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await page.getByText('There are no rooms').first().waitFor();
});

it.each(['zoe', 'zoe acme:reader other:editor'])('%s, of no organization or two, is told whom to ask', async (name) => {
  const { page } = await signedIn(name, '/rooms');

  await page.getByText('Your account belongs to no organization, or to several.').waitFor();
});

it('an access token that has ended is renewed by the refresh token, without a login', async () => {
  const { page, complaints } = await signedIn('ada acme:editor', '/rooms');
  await page.getByText('/team/standup').first().waitFor();
  await expire(page);

  await page.getByRole('link', { name: 'Transcriptions', exact: true }).click();
  await page.getByRole('heading', { name: 'Transcriptions' }).waitFor();

  await page.getByText('/team/retro').first().waitFor();
  await page.getByText('Open session').first().waitFor();
  expect(issuer.renewals()).toBe(1);
  expect(complaints).toEqual([]);
});

it('after the end of the session at the issuer, the reader logs in again and comes back to the same view', async () => {
  const { page } = await signedIn('ada acme:editor', '/rooms?find=standup');
  await page.getByText('/team/standup').first().waitFor();
  issuer.endSessions();
  await expire(page);

  await page.goto(`${hosted.url}transcriptions?state=failed`);
  await logIn(page, 'ada acme:editor');

  await page.getByText('/team/retro').first().waitFor();
  expect(page.url()).toBe(`${hosted.url}transcriptions?state=failed`);
});

it('an answer that this tab did not ask for is ignored, and the reader logs in', async () => {
  const { page, complaints } = await signedIn('ada acme:editor', '/?code=stolen&state=forged');

  await page.getByText('/team/standup').first().waitFor();
  await page.goto(`${hosted.url}?code=stolen&state=forged`);
  await page.getByText('/team/standup').first().waitFor();

  expect(page.url()).toMatch(/\/rooms$/);
  expect(complaints).toEqual([]);
});
