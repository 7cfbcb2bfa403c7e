import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleAnswer } from '#console/serving/files.ts';
import { callerOf } from '#shared/http/caller.ts';
import { toErrorResponse, toPublishedError } from '#shared/http/error-response.ts';
import { httpEvent } from '../support/http/http-events.ts';
import { endpoints, token } from '../support/machine.ts';
import { requestPersonToken } from '../support/operations/person-token.ts';
import { axeFindings, withBrowser } from './browser-pages.ts';
import { type Authorize, type HostedConsole, hostedUrl, startHostedConsole } from './hosted-console.ts';
import { audience, type OidcIssuer, startOidcIssuer } from './oidc-issuer.ts';
import { signInAt } from './sign-in.ts';
import { type World, world } from './world.ts';

withBrowser();

let made: World;
let issuer: OidcIssuer;
let hosted: HostedConsole;
/** The settings of a stage with this issuer. */
const names = { organizationClaim: 'organization', roleClaim: 'roomscribe_role', consoleClientId: 'console' };

beforeAll(async () => {
  made = await world();
});
beforeEach(async () => {
  issuer = await startOidcIssuer(hostedUrl, { claimsOf });
  const config = { signIn: 'oidc', clientId: issuer.clientId, scope: 'openid', issuer: issuer.url, audience };
  hosted = await startHostedConsole(() => config, { issuer: issuer.url, authorize: gatewayOf(issuer) });
  return () => {
    hosted.stop();
    issuer.stop();
  };
});

/** The name `ada organization=acme roomscribe_role=editor` has the claims after it. */
function claimsOf(login: string, given: JWTPayload): JWTPayload {
  const [name = '', ...claims] = login.split(' ');
  return { ...given, sub: name, ...Object.fromEntries(claims.map((claim) => claim.split('='))) };
}

/**
 * Stands for the gateway of a stage with an issuer of its own, which the local runner has not: it verifies a token, and passes its claims on. The
 * product decides who calls. The API of this machine is then called by the same caller, with a token of its own issuer.
 */
function gatewayOf({ url }: OidcIssuer): Authorize {
  const keys = createRemoteJWKSet(new URL('/jwks', url));
  return async (header) => {
    try {
      const { payload } = await jwtVerify(header.replace('Bearer ', ''), keys, { issuer: url, audience });
      const { organizationId, person } = callerOf(httpEvent({ claims: payload }), names);
      const group = `${organizationId}:${person?.role}`;
      return `Bearer ${await (person ? requestPersonToken(endpoints, person.personId, [group]) : token(organizationId))}`;
    } catch (error) {
      return refusalOf(error);
    }
  };
}

function refusalOf(error: unknown): ConsoleAnswer {
  const published = toPublishedError(error);
  if (!published) return { status: 401, headers: {}, body: Buffer.from('{"message":"Unauthorized"}') };
  const { statusCode: status = 500, headers, body = '' } = toErrorResponse(published);
  return { status, headers: headers as Record<string, string>, body: Buffer.from(body) };
}

const signedIn = (claims: string, path: string) => signInAt(hosted, issuer, `ada ${claims}`, path);

describe('a person of an issuer of the stage', () => {
  it('with the role of an editor renames a speaker', async () => {
    const { page, complaints } = await signedIn(
      'organization=acme roomscribe_role=editor',
      `/transcript?id=${made.readyId}`,
    );

    await page.getByRole('button', { name: 'Rename: Speaker 1' }).click();
    await page.getByLabel('Or a name').fill('Grace of the issuer');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();

    await page.getByRole('button', { name: 'Undo: Grace of the issuer' }).click();
    await page.getByText('Undone.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('with the role of a reader sees everything, and changes nothing', async () => {
    const { page } = await signedIn('organization=acme roomscribe_role=reader', `/webhook?id=${made.webhookId}`);

    await page.getByRole('button', { name: 'Test', exact: true }).click();

    await page.getByText('You can read, but not change.').waitFor();
  });

  it.each([
    ['a role that does not exist', 'organization=acme roomscribe_role=owner'],
    ['no role, as a token of a machine', 'organization=acme'],
    ['no organization', 'roomscribe_role=editor'],
  ])('with %s is told whom to ask, and sees nothing', async (_, claims) => {
    const { page } = await signedIn(claims, '/rooms');

    await page.getByText('Your account belongs to no organization, or to several.').waitFor();
    expect(await page.getByText('/team/standup').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign in again' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
  });
});
