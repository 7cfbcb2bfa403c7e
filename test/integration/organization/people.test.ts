import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { type Runner, startRunner } from '#tools/local/runner.ts';
import { requestToken } from '#tools/shared/token.ts';
import { assertDescribed } from '../../support/docs/described.ts';
import { requestPersonToken } from '../../support/operations/person-token.ts';

const limits = { person: 30, organization: 50 };
let runner: Runner;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
  const context = {
    console: 'true',
    // Without a name of its own, the console's origin is not known before the deployment.
    consoleDomainName: 'console.example.com',
    consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/7c1e3cf4-6a0f-4c55-8d67-9f2f5f3f3a10',
    personPointsPerMinute: String(limits.person),
    rateLimitPointsPerMinute: String(limits.organization),
  };
  runner = await startRunner({ port: 0, dataDir, context });
}, 60_000);

afterAll(async () => {
  await runner?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const someone = () => `person-${randomUUID()}`;
const tokenOf = (groups: readonly string[], personId = someone()) =>
  requestPersonToken(runner.endpoints, personId, groups);

/** Calls the API with a token. */
async function call(token: string, method: string, route: string, request: { body?: unknown; headers?: object } = {}) {
  const hasBody = request.body !== undefined;
  const response = await fetch(`${runner.endpoints.apiUrl}${route}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    ...(hasBody && { body: JSON.stringify(request.body) }),
  });
  const text = await response.text();
  const { status } = response;
  assertDescribed(method, route, { status, headers: Object.fromEntries(response.headers), text });
  const body = text === '' ? undefined : JSON.parse(text);
  const number = (name: string) => Number(response.headers.get(name) ?? Number.NaN);
  return {
    ...{ status, body, code: body?.code as string | undefined },
    ...{ limit: number('x-ratelimit-limit'), remaining: number('x-ratelimit-remaining') },
    reset: number('x-ratelimit-reset'),
  };
}

const queries: Readonly<Record<string, string>> = {
  'list-room-session-insights': '?roomName=/daily',
  'list-participants': '?roomSessionId=0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
  'get-session-network': '?roomSessionId=0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
  'get-participant': '?roomSessionId=0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10&participantId=p-1',
};
const requests = endpointList.map(({ operationId, method, path, right, body }) => ({
  ...{ operationId, method, right },
  route: path.replaceAll(/\{\w+\}/g, () => randomUUID()) + (queries[operationId] ?? ''),
  request: body ? { body: {} } : {},
}));
const reads = requests.filter(({ right }) => right === 'read');
const edits = requests.filter(({ right }) => right === 'edit');

describe('a reader', () => {
  it.each(reads)('may $operationId', async ({ method, route, request }) => {
    const { status, limit } = await call(await tokenOf(['acme:reader']), method, route, request);
    expect([200, 404]).toContain(status);
    expect(limit).toBe(limits.person);
  });

  it.each(edits)('may not $operationId, for one point', async ({ method, route, request }) => {
    const answer = await call(await tokenOf(['acme:reader']), method, route, request);
    expect(answer).toMatchObject({ status: 403, code: 'not_an_editor', limit: limits.person });
    expect(answer.remaining).toBe(limits.person - 1);
  });

  it('changes nothing by a request that is valid', async () => {
    const organization = `org-${randomUUID()}`;
    const token = await tokenOf([`${organization}:reader`]);
    const webhook = { body: { url: 'https://hooks.example.com/' } };
    expect(await call(token, 'POST', '/v1/webhooks', webhook)).toMatchObject({ status: 403 });
    expect((await call(token, 'GET', '/v1/webhooks')).body.results).toEqual([]);
  });
});

describe('an editor', () => {
  it.each(requests)('may $operationId', async ({ method, route, request }) => {
    const { status, code } = await call(await tokenOf(['acme:editor']), method, route, request);
    expect([status, code]).not.toEqual([403, expect.anything()]);
    expect(status).not.toBe(401);
  });

  it('sees and changes the same as the machines of the organization, whose idempotency keys they share', async () => {
    const organization = `org-${randomUUID()}`;
    const [editor, reader] = [
      await tokenOf([`${organization}:reader`, `${organization}:editor`, 'admins']),
      await tokenOf([`${organization}:reader`]),
    ];
    const machine = await requestToken(runner.endpoints, organization);
    const creation = { body: { url: 'https://hooks.example.com/' }, headers: { 'idempotency-key': randomUUID() } };
    const created = await call(editor, 'POST', '/v1/webhooks', creation);
    expect(created.status).toBe(201);
    expect((await call(machine, 'POST', '/v1/webhooks', creation)).body).toEqual(created.body);
    const { webhookId } = created.body;
    for (const token of [editor, reader, machine])
      expect((await call(token, 'GET', '/v1/webhooks')).body.results).toMatchObject([{ webhookId }]);
    const other = await tokenOf([`other-${randomUUID()}:editor`]);
    expect((await call(other, 'GET', `/v1/webhooks/${webhookId}`)).status).toBe(404);
  });
});

describe('the points of a person', () => {
  it('are of one person, and not those of the organization', async () => {
    const organization = `org-${randomUUID()}`;
    const groups = [`${organization}:editor`];
    const [busy, colleague] = [await tokenOf(groups), await tokenOf(groups)];
    const machine = await requestToken(runner.endpoints, organization);
    const list = (token: string) => call(token, 'GET', '/v1/transcriptions');
    const answers = await Promise.all(Array.from({ length: 3 * limits.person }, () => list(busy)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.body.message).toMatch(/^The person has 0 of its 30 points left/);
    expect(await list(colleague)).toMatchObject({ status: 200, limit: limits.person, remaining: limits.person - 1 });
    expect(await list(machine)).toMatchObject({ limit: limits.organization, remaining: limits.organization - 1 });
  });

  it('do not matter to a person if the organization has none left', async () => {
    const organization = `org-${randomUUID()}`;
    const machine = await requestToken(runner.endpoints, organization);
    const list = (token: string) => call(token, 'GET', '/v1/transcriptions');
    await Promise.all(Array.from({ length: 3 * limits.organization }, () => list(machine)));
    expect(await list(await tokenOf([`${organization}:reader`]))).toMatchObject({ status: 200, limit: limits.person });
  });

  it('end for refused edits, too', async () => {
    const token = await tokenOf(['acme:reader']);
    const remove = () => call(token, 'DELETE', `/v1/transcriptions/${randomUUID()}`);
    const answers = await Promise.all(Array.from({ length: 3 * limits.person }, remove));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403, 429]));
  });
});

describe('a person without one organization', () => {
  it.each([
    ['no groups', []],
    ['groups that name no role', ['acme', 'acme:owner', 'acme:editor:x', 'deleted.acme']],
    ['two organizations', ['acme:reader', 'other:editor']],
  ])('gets a 403 for every request, which costs nothing: %s', async (_, groups) => {
    const token = await tokenOf(groups);
    for (const { method, route, request } of requests) {
      const answer = await call(token, method, route, request);
      expect(answer).toMatchObject({ status: 403, code: 'no_organization', limit: Number.NaN });
    }
  });
});

describe('a token of the pool of people', () => {
  /** A token that is good except for these claims. Signed by the key of the people, or of the machines. */
  const signed = async (claims: JWTPayload, keyFile = 'people-key.json') => {
    const jwk = JSON.parse(await readFile(path.join(dataDir, keyFile), 'utf8'));
    const { people } = runner.endpoints;
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: people?.issuer, client_id: people?.clientId, sub: someone(), iat: now, exp: now + 600 };
    const access = { token_use: 'access', scope: 'openid roomscribe/access', 'cognito:groups': ['acme:editor'] };
    return new SignJWT({ ...good, ...access, ...claims } as JWTPayload)
      .setProtectedHeader({ alg: 'RS256', kid: jwk.kid })
      .sign(await importJWK(jwk, 'RS256'));
  };
  const list = (token: string) => call(token, 'GET', '/v1/transcriptions');

  it('is accepted with the claims of a login', async () => {
    expect((await list(await signed({}))).status).toBe(200);
  });

  it.each<[string, string, JWTPayload, string?]>([
    ['of another client', 'client', { client_id: 'another-client' }],
    ['of a client of the machines', 'client', { client_id: 'acme' }],
    ['without the scope of the API', 'scope', { scope: 'openid' }],
    ['that has expired', 'expired', { exp: Math.floor(Date.now() / 1000) - 1 }],
    ['that is an ID token', 'kind', { token_use: 'id' }],
    ['of the key of the machines', 'key', {}, 'issuer-key.json'],
    ['with the issuer of the machines', 'key', { iss: 'machines' }],
  ])('%s is a 401 as published', async (_, reason, claims, keyFile) => {
    const iss = claims.iss === 'machines' ? { iss: runner.endpoints.issuer } : {};
    const { status, body } = await list(await signed({ ...claims, ...iss }, keyFile));
    expect([status, body.code, body.message]).toEqual([401, 'unauthorized', expect.stringContaining(`(${reason})`)]);
  });

  it('leaves the id of the person in the log, and nothing else of the person', async () => {
    const sub = someone();
    const mark = randomUUID();
    const claims = { sub, email: `${mark}@example.com`, username: mark, name: mark, given_name: mark };
    await list(await signed(claims));
    await list(await signed({ ...claims, 'cognito:groups': [] }));
    const logs = await Promise.all(
      ['list-transcriptions', 'authorize-request'].map((name) =>
        readFile(path.join(dataDir, 'logs', `${name}.log`), 'utf8'),
      ),
    );
    for (const log of logs) {
      expect(log).toContain(sub);
      expect(log).not.toContain(mark);
    }
  });
});

describe('the local issuer', () => {
  const ask = (fields: Record<string, string>) =>
    fetch(String(runner.endpoints.people?.tokenUrl), { method: 'POST', body: new URLSearchParams(fields) });

  it('issues a token for a quarter of an hour, and none without a person', async () => {
    const answer = await ask({ person_id: someone(), group: 'acme:reader' });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const refused = await ask({ group: 'acme:reader' });
    expect([refused.status, await refused.json()]).toEqual([400, { error: 'invalid_request' }]);
  });
});
