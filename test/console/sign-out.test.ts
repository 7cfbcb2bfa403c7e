import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { axeFindings, newPage, withBrowser } from './browser-pages.ts';
import { hostedUrl, startHostedConsole } from './hosted-console.ts';
import { startOidcIssuer } from './oidc-issuer.ts';
import { logIn, signInAt } from './sign-in.ts';
import { world } from './world.ts';

withBrowser();
beforeAll(async () => void (await world()));

/** A deployment whose people sign in at an issuer. */
async function deployment(endsSessions = true) {
  const issuer = await startOidcIssuer(hostedUrl, { endsSessions });
  onTestFinished(issuer.stop);
  const config = { signIn: 'oidc', clientId: issuer.clientId, scope: 'openid', issuer: issuer.url };
  const hosted = await startHostedConsole(() => config, { issuer: issuer.url });
  onTestFinished(hosted.stop);
  return { issuer, hosted };
}

const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click();
const keptTokens = (page: Page) => page.evaluate("sessionStorage.getItem('roomscribe.tokens')");

describe('a sign-out', () => {
  it('ends the session at the issuer, and the reader who comes back is told that they are signed out', async () => {
    const { issuer, hosted } = await deployment();
    const { page, complaints } = await signInAt(hosted, issuer, 'ada acme:editor', '/rooms');
    await page.getByText('/team/standup').first().waitFor();

    await signOut(page);
    await page.getByRole('button', { name: 'Log out' }).click();

    await page.getByRole('heading', { level: 1, name: 'You are signed out.' }).waitFor();
    expect(await page.title()).toBe('You are signed out. – Roomscribe');
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\//);
    expect(await axeFindings(page)).toEqual([]);
    expect(await keptTokens(page)).toBeNull();
    expect(issuer.revocations()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, 'ada acme:editor'); // the issuer asks again
    await page.getByText('/team/standup').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('at an issuer without an address for it does not sign the reader in again', async () => {
    const { issuer, hosted } = await deployment(false);
    const { page } = await signInAt(hosted, issuer, 'ada acme:editor', '/rooms');
    await page.getByText('/team/standup').first().waitFor();

    await signOut(page);

    await page.getByText('You are signed out.').waitFor();
    expect(await keptTokens(page)).toBeNull();
    await page.goto(`${hosted.url}rooms?find=standup`);
    await page.getByText('You are signed out.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click(); // the session at the issuer goes on
    await page.getByText('/team/standup').first().waitFor();
    expect(page.url()).toBe(`${hosted.url}rooms?find=standup`);
  });

  it('says what to do if the issuer cannot be reached, shows nothing more, and ends the rest when it can be again', async () => {
    const { issuer, hosted } = await deployment();
    const { page, complaints } = await signInAt(hosted, issuer, 'ada acme:editor', '/rooms', {
      expected: /ERR_EMPTY_RESPONSE|ERR_CONNECTION/,
    });
    await page.getByText('/team/standup').first().waitFor();
    await page.reload(); // the page knows the tokens, and not the issuer
    await page.getByText('/team/standup').first().waitFor();
    issuer.isUp = false;

    await signOut(page);
    await page.getByText('You are signed out here, but the sign-in cannot be reached.').waitFor();
    expect(await keptTokens(page)).toBeNull();
    expect(await page.getByText('/team/standup').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);

    issuer.isUp = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByText('You are signed out.').waitFor();
    expect(issuer.revocations()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe('a sign-in that fails', () => {
  it('for want of the issuer says what to do, and leads to the view of the address when it is tried again', async () => {
    const { issuer, hosted } = await deployment();
    issuer.isUp = false;
    const { page, complaints } = await newPage({
      origins: [issuer.url],
      expected: /ERR_EMPTY_RESPONSE|ERR_CONNECTION/,
    });

    await page.goto(`${hosted.url}rooms?find=standup`);
    await page.getByText('cannot be reached').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    issuer.isUp = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await logIn(page, 'ada acme:editor');
    await page.getByText('/team/standup').first().waitFor();
    expect(page.url()).toBe(`${hosted.url}rooms?find=standup`);
    expect(complaints).toEqual([]);
  });

  it('because the issuer refuses it says so, and leads to the view of the address when it is tried again', async () => {
    const { issuer, hosted } = await deployment();
    const { page, complaints } = await newPage({ origins: [issuer.url] });
    const asked = page.waitForRequest((request) => new URL(request.url()).searchParams.has('code_challenge'));
    await page.goto(`${hosted.url}rooms?find=standup`);
    const state = new URL((await asked).url()).searchParams.get('state');
    await page.getByLabel('Name').waitFor();

    await page.goto(`${hosted.url}?error=access_denied&state=${state}`);
    await page.getByText('The sign-in was refused.').waitFor();
    expect(page.url()).toBe(`${hosted.url}rooms?find=standup`);
    expect(await axeFindings(page)).toEqual([]);

    await page.getByRole('button', { name: 'Sign in' }).click();
    await logIn(page, 'ada acme:editor');
    await page.getByText('/team/standup').first().waitFor();
    expect(page.url()).toBe(`${hosted.url}rooms?find=standup`);
    expect(complaints).toEqual([]);
  });

  it('in the middle of the work is told in the view, with the way to try it again', async () => {
    const { issuer, hosted } = await deployment();
    const { page } = await signInAt(hosted, issuer, 'ada acme:editor', '/rooms', { expected: /./ });
    await page.getByText('/team/standup').first().waitFor();
    await page.evaluate("sessionStorage.removeItem('roomscribe.tokens')");
    await page.reload();
    await page.getByText('/team/standup').first().waitFor(); // by the session at the issuer
    await page.reload();
    await page.getByText('/team/standup').first().waitFor(); // the page knows the tokens, and not the issuer
    await page.evaluate("sessionStorage.removeItem('roomscribe.tokens')");
    issuer.isUp = false;

    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByText('or the sign-in, cannot be reached').first().waitFor();

    issuer.isUp = true;
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByText('Minutes of participants').first().waitFor();
    expect(page.url()).toBe(`${hosted.url}usage`);
  });
});
