import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLinks } from '../../../../client/cli/commands/console/links.ts';
import { type ConsoleServerOptions, startConsoleServer } from '../../../../client/cli/commands/console/server.ts';
import { readConsole } from '../../../../client/console-serving/files.ts';
import { ConnectionError, TokenError } from '../../../../client/errors.ts';
import { tokensFrom } from '../../../../client/tokens.ts';
import { type RawRequest, rawBytes, rawRequest } from '../../../support/raw-request.ts';
import { serveInTest } from '../../../support/test-server.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-console-'));
  await mkdir(path.join(folder, 'assets'));
  await mkdir(path.join(folder, '.vite'));
  await writeFile(path.join(folder, 'index.html'), 'the page');
  await writeFile(path.join(folder, 'assets/a.js'), 'the script');
  await writeFile(path.join(folder, '.vite/manifest.json'), 'the manifest');
  await writeFile(path.join(folder, 'odd.bin'), 'odd');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const token = 'the-token-of-the-account';

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };

/** An API of the test. `asked` has the requests that came to it. */
async function apiOf(answer: RequestListener) {
  const asked: Asked[] = [];
  const apiUrl = await serveInTest(async (request, response) => {
    const { method, url, headers } = request;
    asked.push({ method, url, headers, body: (await buffer(request)).toString('utf8') });
    answer(request, response);
  });
  return { apiUrl, asked };
}

const json = (status: number, body: unknown): RequestListener => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** Starts the server of a console that ends with the test. */
async function startConsole(given: Partial<ConsoleServerOptions & ConsoleServerOptions['upstream']> = {}) {
  const { apiUrl = 'http://127.0.0.1:1', tokens = tokensFrom(token), links = createLinks() } = given;
  const server = await startConsoleServer({
    port: 0,
    files: await readConsole(folder),
    upstream: { apiUrl, tokens, links, remedy: 'Run: roomscribe login' },
    deployment: 'dev',
    view: '/rooms',
    idleMs: 60_000,
    ...given,
  });
  onTestFinished(() => server.stop());
  const { port, pathname, search } = new URL(server.link);
  const ask = (asked: string, request: RawRequest = {}) => rawRequest(port, asked, request);
  return { server, port, ask, enterPath: `${pathname}${search}` };
}

/** Starts a console and opens its link. `ask` sends the cookie. */
async function openConsole(given: Parameters<typeof startConsole>[0] = {}) {
  const started = await startConsole(given);
  const entered = await started.ask(started.enterPath);
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const ask = (asked: string, { headers = {}, ...request }: RawRequest = {}) =>
    started.ask(asked, { ...request, headers: { cookie, ...headers } });
  return { ...started, ask, cookie };
}

describe('the link', () => {
  test('sets a cookie that scripts, other sites and other servers of this machine do not get, and leads to the view', async () => {
    const { ask, enterPath, port, server } = await startConsole({ view: '/room?name=/team' });

    const { status, headers } = await ask(enterPath);

    expect([status, headers.location, headers['cache-control']]).toEqual([303, '/console/room?name=/team', 'no-store']);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(new RegExp(`^roomscribe-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`));
    expect(server.link).toMatch(/\?key=[\w-]{43}$/);
    expect(cookie).not.toContain(new URL(server.link).searchParams.get('key'));
  });

  test('works once, and says so the second time, also to the browser that used it', async () => {
    const { ask, enterPath, cookie } = await openConsole();

    for (const headers of [{}, { cookie }]) {
      const { status, body, headers: answered } = await ask(enterPath, { headers });
      expect([status, answered['set-cookie']]).toEqual([403, undefined]);
      expect(body).toMatch(/^This link was used, and works once\. .*Ctrl-C.* run it again\.\n$/);
    }
  });

  test.each(['', '?key=', `?key=${'a'.repeat(43)}`])('with another key opens nothing: "%s"', async (search) => {
    const { ask, enterPath } = await startConsole();
    const { status, body, headers } = await ask(`/console/enter${search}`);
    expect([status, headers['set-cookie']]).toEqual([403, undefined]);
    expect(body).toMatch(/^This is not the link of the command that runs now\./);
    expect((await ask(enterPath)).status).toBe(303); // and uses up nothing
  });

  test('of an earlier command opens nothing, and neither does its cookie', async () => {
    const earlier = await openConsole();
    await earlier.server.stop();
    const later = await startConsole({ port: Number(earlier.port) });
    expect((await later.ask(earlier.enterPath)).status).toBe(403);
    expect((await later.ask('/console/config.json', { headers: { cookie: earlier.cookie } })).status).toBe(401);
  });

  test('is not used up by a program that looks at it without opening it', async () => {
    const { ask, enterPath } = await startConsole();
    expect((await ask(enterPath, { method: 'HEAD' })).status).toBe(405);
    expect((await ask(enterPath, { method: 'POST' })).status).toBe(405);
    expect((await ask(enterPath)).status).toBe(303);
  });
});

describe('without the cookie', () => {
  test.each(['/console/config.json', '/v1/insights/rooms', '/files/abc'])('%s says what to do', async (asked) => {
    const { apiUrl, asked: calls } = await apiOf(json(200, {}));
    const { ask, port } = await startConsole({ apiUrl });
    for (const cookie of ['', `roomscribe-${port}=`, `roomscribe-${port}=${'a'.repeat(43)}`, 'roomscribe-1=a']) {
      const { status, body } = await ask(asked, { headers: { cookie } });
      expect([status, body]).toEqual([
        401,
        expect.stringMatching(/^Open the link that roomscribe console has printed\./),
      ]);
    }
    expect(calls).toEqual([]);
  });

  test('the page itself opens: it says what to do', async () => {
    const { ask } = await startConsole();
    expect(await ask('/console/rooms')).toMatchObject({ status: 200, body: 'the page' });
    expect(await ask('/console/assets/a.js')).toMatchObject({ status: 200, body: 'the script' });
  });
});

describe('a request', () => {
  test.each([
    ['a foreign name that leads here', { host: 'evil.example' }],
    ['a foreign name at the port', (port: string) => ({ host: `evil.example:${port}` })],
    ['another port', { host: '127.0.0.1:1' }],
    ['no port', { host: '127.0.0.1' }],
    ['a name that only begins like this machine', (port: string) => ({ host: `localhost:${port}.evil.example` })],
    ['a page of another site', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['the other name of this machine', (port: string) => ({ origin: `http://localhost:${port}` })],
    ['a sandboxed page', { origin: 'null' }],
    ['an image of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a page of another port, which is the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    [
      'a frame of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ])('from %s is refused, also with the cookie', async (_who, headers) => {
    const { apiUrl, asked } = await apiOf(json(200, {}));
    const { ask, port } = await openConsole({ apiUrl });
    const given = typeof headers === 'function' ? headers(port) : headers;
    for (const [method, url] of [
      ['GET', '/console/'],
      ['GET', '/console/config.json'],
      ['GET', '/v1/insights/rooms'],
      ['POST', '/v1/transcriptions'],
    ] as const) {
      const { status, headers: answered } = await ask(url, { method, headers: given });
      expect([url, status, answered['access-control-allow-origin']]).toEqual([url, 403, undefined]);
    }
    expect(asked).toEqual([]);
  });

  test('with two hosts is refused', async () => {
    const { port } = await startConsole();
    const heads = [`127.0.0.1:${port}`, 'evil.example'].map((host) => `host: ${host}\r\n`);
    for (const both of [heads, heads.toReversed()])
      expect(await rawBytes(port, `GET /console/ HTTP/1.1\r\n${both.join('')}connection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 40[03] /,
      );
  });

  test('with two lengths is refused', async () => {
    const { apiUrl, asked } = await apiOf(json(200, {}));
    const { port, cookie } = await openConsole({ apiUrl });
    const head = `POST /v1/transcriptions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n`;
    const smuggled = 'GET /v1/webhooks HTTP/1.1\r\n\r\n';
    const bytes = `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`;
    expect(await rawBytes(port, bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect(asked).toEqual([]);
  });

  test('of the page is answered, by both names of this machine', async () => {
    const { ask, port } = await openConsole();
    for (const name of ['127.0.0.1', 'localhost']) {
      const headers = { host: `${name}:${port}`, origin: `http://${name}:${port}`, 'sec-fetch-site': 'same-origin' };
      const { status, body } = await ask('/console/config.json', { headers });
      expect([status, JSON.parse(body)]).toEqual([200, { signIn: 'session', deployment: 'dev' }]);
    }
  });

  test('for a page by a link of another site is answered', async () => {
    const { ask } = await startConsole();
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await ask('/console/rooms', { headers })).status).toBe(200);
  });
});

test('the page loads from this server alone, and nothing may keep answers', async () => {
  const { apiUrl } = await apiOf(json(200, []));
  const { ask } = await openConsole({ apiUrl });
  const page = await ask('/console/');
  expect(page.headers['content-security-policy']).toContain("connect-src 'self'; media-src 'self';");
  expect(page.headers['content-security-policy']).not.toMatch(/https?:|\*|unsafe/);
  const answered = await ask('/v1/insights/rooms');
  for (const { headers } of [await ask('/console/config.json'), answered])
    expect([headers['cache-control'], headers['x-content-type-options']]).toEqual(['no-store', 'nosniff']);
  expect(answered.headers['content-security-policy']).toContain('sandbox');
});

test.each([
  ['/', 303, ''],
  ['/console', 303, ''],
  ['/console/../../etc/passwd', 200, 'the page'],
  ['/console/..%2f..%2fetc%2fpasswd', 200, 'the page'],
  ['/console/.vite/manifest.json', 200, 'the page'],
  ['/console/odd.bin', 200, 'odd'],
  ['/console/assets/of-another-build.js', 404, 'There is no such file.\n'],
  ['/files/abc', 404, 'There is no such file, or its link has expired.\n'],
  ['/etc/passwd', 404, 'There is no such file, or its link has expired.\n'],
  ['http://evil.example/v1/x', 404, 'There is no such file, or its link has expired.\n'],
])('answers %s with %i', async (asked, status, body) => {
  const { ask } = await openConsole();
  expect(await ask(asked)).toMatchObject({ status, body });
});

describe('a call', () => {
  test('is forwarded with the token of the account and with none of the browser', async () => {
    const { apiUrl, asked } = await apiOf((_request, response) => {
      response.writeHead(201, { 'content-type': 'application/json', 'x-ratelimit-limit': '60', location: '/v1/a' });
      response.end('{"a":1}');
    });
    const { ask, cookie } = await openConsole({ apiUrl });

    const answered = await ask('/v1/transcriptions?a=b%20c&d=', {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'text/csv', 'idempotency-key': 'k', range: 'bytes=0-1' },
        ...{
          authorization: 'Bearer session',
          'x-forwarded-for': '203.0.113.7',
          referer: 'http://127.0.0.1/',
          'x-a': 'b',
        },
        ...{ cookie: `${cookie}; other=1`, 'proxy-authorization': 'Basic a' },
      },
      body: '{"recordingId":"é"}',
    });

    const [call] = asked;
    expect([call?.method, call?.url, call?.body]).toEqual([
      'POST',
      '/v1/transcriptions?a=b%20c&d=',
      '{"recordingId":"é"}',
    ]);
    expect(call?.headers).toMatchObject({
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/csv' },
      ...{ 'idempotency-key': 'k', range: 'bytes=0-1', host: new URL(apiUrl).host },
    });
    for (const name of ['cookie', 'x-forwarded-for', 'referer', 'x-a', 'origin', 'proxy-authorization'])
      expect(call?.headers, name).not.toHaveProperty(name);
    expect(answered).toMatchObject({ status: 201, body: '{"a":1}' });
    expect(answered.headers).toMatchObject({ 'x-ratelimit-limit': '60', location: '/v1/a' });
  });

  test('answers with no other headers of the API than those of the contract', async () => {
    const { apiUrl } = await apiOf((_request, response) => {
      response.writeHead(200, {
        ...{
          'content-type': 'application/json',
          'set-cookie': 'a=b',
          'x-secret': token,
          'access-control-allow-origin': '*',
        },
        ...{ 'x-next-cursor': 'c', etag: '"e"', 'retry-after': '3', 'apigw-requestid': 'r', 'cache-control': 'public' },
      });
      response.end('{}');
    });
    const { headers } = await (await openConsole({ apiUrl })).ask('/v1/notices');
    for (const name of ['set-cookie', 'x-secret', 'access-control-allow-origin'])
      expect(headers).not.toHaveProperty(name);
    expect(headers).toMatchObject({
      etag: '"e"',
      'retry-after': '3',
      'apigw-requestid': 'r',
      'cache-control': 'no-store',
    });
  });

  test.each(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])('of the method %s is not forwarded', async (method) => {
    const { apiUrl, asked } = await apiOf(json(200, {}));
    const { ask } = await openConsole({ apiUrl });
    expect((await ask('/v1/insights/rooms', { method })).status).toBe(405);
    expect(asked).toEqual([]);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])('of the method %s is forwarded', async (method) => {
    const { apiUrl, asked } = await apiOf((_request, response) => response.writeHead(204).end());
    const { ask } = await openConsole({ apiUrl });
    expect(await ask('/v1/webhooks/a', { method })).toMatchObject({ status: 204, body: '' });
    expect(asked.map((call) => call.method)).toEqual([method]);
  });

  test.each([
    '/v1/../admin',
    '/v1/./a',
    '/v1/a/..',
    '/v1/%2e%2e/admin',
    '/v1/%2E./admin',
    '/v1/..%2fadmin',
    '/v1/a%2f..%2f..%2fadmin',
    '/v1/%252e%252e/admin',
    '/v1/..\\admin',
    '/v1/..%5cadmin',
    '/v1/a\\b',
    '/v1/%zz/a',
    '/v1/a"b',
  ])('of the path %s, which other servers could read as another one, is not forwarded', async (asked) => {
    const { apiUrl, asked: calls } = await apiOf(json(200, {}));
    const { ask } = await openConsole({ apiUrl: `${apiUrl}/stage` });
    const { status, body } = await ask(asked);
    expect([status, JSON.parse(body).code]).toEqual([400, 'invalid_request']);
    expect(calls).toEqual([]);
  });

  test.each(['/v1/t/1/speakers/a%2Fb%20c', '/v1/insights/rooms?roomName=..%2F..%2Fa&a=/../b', '/v1/a%25b', '/v1/a..b'])(
    'of the path %s arrives as it was sent',
    async (asked) => {
      const { apiUrl, asked: calls } = await apiOf(json(200, {}));
      const { ask } = await openConsole({ apiUrl: `${apiUrl}/stage` });
      expect((await ask(asked)).status).toBe(200);
      expect(calls.map(({ url }) => url)).toEqual([`/stage${asked}`]);
    },
  );

  test('with a header twice is not forwarded', async () => {
    const { apiUrl, asked } = await apiOf(json(200, {}));
    const { ask } = await openConsole({ apiUrl });
    expect((await ask('/v1/webhooks', { headers: { 'idempotency-key': ['a', 'b'] } })).status).toBe(400);
    expect(asked).toEqual([]);
  });

  test.each([
    ['with its length', { 'content-length': '1000001' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('with a body over 1 MB is not forwarded, sent %s', async (_how, headers) => {
    const { apiUrl, asked } = await apiOf(json(200, {}));
    const { ask } = await openConsole({ apiUrl });
    const { status, body } = await ask('/v1/transcriptions', {
      method: 'POST',
      headers,
      body: Buffer.alloc(1_000_001),
    });
    expect([status, JSON.parse(body).code]).toEqual([413, 'payload_too_large']);
    expect((await ask('/v1/transcriptions', { method: 'POST', body: Buffer.alloc(1_000_000) })).status).toBe(200);
    expect(asked.map((call) => call.body.length)).toEqual([1_000_000]);
  });

  test('follows no redirect and shows none', async () => {
    const elsewhere = await apiOf(json(200, {}));
    const { apiUrl } = await apiOf((_request, response) =>
      response.writeHead(302, { location: elsewhere.apiUrl }).end(),
    );
    const { status, headers } = await (await openConsole({ apiUrl })).ask('/v1/links/a');
    expect([status, headers.location, elsewhere.asked]).toEqual([502, undefined, []]);
  });

  test('keeps 304', async () => {
    const { apiUrl, asked } = await apiOf((_request, response) => response.writeHead(304, { etag: '"e"' }).end());
    const { ask } = await openConsole({ apiUrl });
    expect(await ask('/v1/openapi.json', { headers: { 'if-none-match': '"e"' } })).toMatchObject({
      status: 304,
      body: '',
    });
    expect(asked[0]?.headers['if-none-match']).toBe('"e"');
  });

  test('is sent once more with another token if the API refuses the token', async () => {
    const { apiUrl, asked } = await apiOf((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer new' ? 200 : 401).end('{}');
    });
    const tokens = tokensFrom((refused) => (refused === undefined ? 'old' : 'new'));
    const { ask } = await openConsole({ apiUrl, tokens });
    expect((await ask('/v1/transcriptions', { method: 'POST', body: 'a' })).status).toBe(200);
    expect(asked.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ['Bearer old', 'a'],
      ['Bearer new', 'a'],
    ]);
  });

  test('passes on that the API refuses the only token', async () => {
    const { apiUrl, asked } = await apiOf(json(401, { code: 'unauthorized', message: 'No.' }));
    const { status, body } = await (await openConsole({ apiUrl })).ask('/v1/notices');
    expect([status, JSON.parse(body).code, asked.length]).toEqual([401, 'unauthorized', 1]);
  });

  test.each([
    [
      new TokenError('issuer issued no token to the client "acme": invalid_client.', 'invalid_client'),
      401,
      'unauthorized',
    ],
    [
      new ConnectionError('connection_failed', 'issuer could not be reached (ECONNREFUSED).'),
      502,
      'service_unavailable',
    ],
  ])('tells an error of the token endpoint as the API would: %s', async (error, status, code) => {
    const tokens = tokensFrom(() => Promise.reject(error));
    const answered = await (await openConsole({ tokens })).ask('/v1/notices');
    expect([answered.status, JSON.parse(answered.body)]).toEqual([
      status,
      { code, message: expect.stringContaining(error.message) },
    ]);
  });

  test('says that the API cannot be reached', async () => {
    const apiUrl = `http://127.0.0.1:${await getPort()}`;
    const { status, body } = await (await openConsole({ apiUrl })).ask('/v1/notices');
    expect([status, JSON.parse(body)]).toEqual([
      502,
      { code: 'service_unavailable', message: `${apiUrl} could not be reached (ECONNREFUSED).` },
    ]);
  });
});

describe('a link to a file', () => {
  const file = '0123456789';

  /** An API that gives links to a storage with one file. */
  async function withFile(storage: RequestListener, expires = Date.now() + 60_000, field = 'accessLink') {
    const { apiUrl: storageUrl, asked } = await apiOf(storage);
    const link = `${storageUrl}/bucket/a.mp3?X-Amz-Signature=secret`;
    const { apiUrl } = await apiOf(json(200, { [field]: link, expires }));
    return { ...(await openConsole({ apiUrl })), storageUrl, asked };
  }

  const ranged: RequestListener = (request, response) => {
    const [, from = '0', to = '9'] = /^bytes=(\d)-(\d)$/.exec(request.headers.range ?? '') ?? [];
    const isPart = request.headers.range !== undefined;
    const part = file.slice(Number(from), Number(to) + 1);
    response.writeHead(isPart ? 206 : 200, {
      ...{ 'content-type': 'audio/mpeg', 'content-length': part.length, 'accept-ranges': 'bytes', 'set-cookie': 'a=b' },
      ...(isPart && { 'content-range': `bytes ${from}-${to}/10` }),
    });
    response.end(part);
  };

  test.each(['access', 'recording'])('is replaced by an address of this server: %s', async (kind) => {
    const { ask, port, storageUrl, asked } = await withFile(ranged, undefined, `${kind}Link`);

    const { body } = await ask(`/v1/transcriptions/1/${kind}-link?format=json`, {
      headers: { host: `localhost:${port}` },
    });

    expect(body).not.toContain(storageUrl);
    const link = new URL(JSON.parse(body)[`${kind}Link`]);
    expect(link.href).toMatch(new RegExp(`^http://localhost:${port}/files/[\\w-]{43}$`));
    expect(await ask(link.pathname)).toMatchObject({
      status: 200,
      body: file,
      headers: { 'content-type': 'audio/mpeg' },
    });
    expect(asked[0]?.url).toBe('/bucket/a.mp3?X-Amz-Signature=secret');
    for (const name of ['cookie', 'authorization', 'referer']) expect(asked[0]?.headers).not.toHaveProperty(name);
  });

  test('gives parts of the file, as players ask for them', async () => {
    const { ask } = await withFile(ranged);
    const { pathname } = new URL(JSON.parse((await ask('/v1/transcriptions/1/access-link')).body).accessLink);
    const part = await ask(pathname, { headers: { range: 'bytes=2-4' } });
    expect([part.status, part.body, part.headers['content-range'], part.headers['content-length']]).toEqual([
      ...[206, '234', 'bytes 2-4/10', '3'],
    ]);
    expect([part.headers['accept-ranges'], part.headers['set-cookie']]).toEqual(['bytes', undefined]);
    expect(await ask(pathname, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    expect((await ask(pathname, { method: 'POST' })).status).toBe(405);
  });

  test('cannot be a page that acts as the console', async () => {
    const { ask } = await withFile((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<script>'),
    );
    const { pathname } = new URL(JSON.parse((await ask('/v1/transcriptions/1/access-link')).body).accessLink);
    const { headers } = await ask(pathname);
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'; sandbox");
  });

  test('ends with the link', async () => {
    const { ask } = await withFile(ranged, Date.now() - 1);
    const { pathname } = new URL(JSON.parse((await ask('/v1/transcriptions/1/access-link')).body).accessLink);
    expect((await ask(pathname)).status).toBe(404);
  });

  test('tells a failure of the storage', async () => {
    const { ask } = await withFile((_request, response) => response.writeHead(403).end('<Error>secret</Error>'));
    const { pathname } = new URL(JSON.parse((await ask('/v1/transcriptions/1/access-link')).body).accessLink);
    expect(await ask(pathname)).toMatchObject({ status: 502, body: 'The storage of the file answered 403.\n' });
  });

  test('breaks off if the storage does', async () => {
    const { ask } = await withFile((_request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('012', () => response.destroy());
    });
    const { pathname } = new URL(JSON.parse((await ask('/v1/transcriptions/1/access-link')).body).accessLink);
    await expect(ask(pathname)).rejects.toThrow(/aborted/);
  });

  test('is left as it is in other answers and in errors', async () => {
    const webhook = { url: 'https://shop.example.com/hooks' };
    const { apiUrl } = await apiOf((request, response) =>
      json(request.url?.includes('webhooks') ? 200 : 404, webhook)(request, response),
    );
    const { ask } = await openConsole({ apiUrl });
    for (const asked of ['/v1/webhooks/a', '/v1/transcriptions/1/access-link'])
      expect(JSON.parse((await ask(asked)).body)).toEqual(webhook);
  });
});

test('at most a thousand links are kept, the latest ones', () => {
  const links = createLinks(() => 1000);
  const paths = Array.from({ length: 1001 }, (_, index) => {
    const body = JSON.stringify({ accessLink: `https://s3.example.com/${index}`, expires: 2000 });
    return new URL(JSON.parse(links.replaceIn(body, 'http://127.0.0.1:1')).accessLink).pathname;
  });
  expect([paths[0], paths[1], paths[1000]].map((each = '') => links.find(each))).toEqual([
    ...[undefined, 'https://s3.example.com/1', 'https://s3.example.com/1000'],
  ]);
});

test.each(['http://internal.example/a', 'file:///etc/passwd', 'javascript:alert(1)', 'a', 7, null])(
  'a link that is no address of a file is left as it is: %s',
  (accessLink) => {
    const body = JSON.stringify({ accessLink });
    expect(JSON.parse(createLinks().replaceIn(body, 'http://127.0.0.1:1'))).toEqual({ accessLink });
  },
);

test('the server tells when nobody has asked anything for some time', async () => {
  const { server, ask } = await startConsole({ idleMs: 50 });
  await ask('/console/');
  await expect(server.idle).resolves.toBeUndefined();
});
