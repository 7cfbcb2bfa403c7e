import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { apiOf, json, openConsole, startConsole } from '../../../support/client/console-server.ts';
import { type RawRequest, rawBytes } from '../../../support/http/raw-request.ts';

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

test('connections are kept, except those with a body that nobody reads', async () => {
  const { ask } = await openConsole();
  const connectionOf = async (request?: RawRequest) => (await ask('/console/', request)).headers.connection;
  expect(await connectionOf()).toBe('keep-alive');
  expect(await connectionOf({ method: 'POST', body: Buffer.alloc(1_000_000) })).toBe('close');
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

test('the server tells when nobody has asked anything for some time', async () => {
  const { server, ask } = await startConsole({ idleMs: 50 });
  await ask('/console/');
  await expect(server.idle).resolves.toBeUndefined();
});

describe('the time after which the server ends', () => {
  const idleMs = 60_000;

  /** Whether the server ends after this time if it is asked once, in the middle. */
  async function endsAfter(time: number, asks: (opened: Awaited<ReturnType<typeof openConsole>>) => Promise<unknown>) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = await openConsole({ idleMs });
    const ended = vi.fn();
    void opened.server.idle.then(ended);
    await vi.advanceTimersByTimeAsync(time / 2);
    await asks(opened);
    await vi.advanceTimersByTimeAsync(time / 2);
    return ended.mock.calls.length > 0;
  }

  test('begins again with a request that has the cookie', async () => {
    expect(await endsAfter(idleMs, ({ ask }) => ask('/console/'))).toBe(false);
  });

  test.each([
    ['without the cookie', '/console/config.json', { cookie: '' }],
    ['without the cookie, for a file of the page', '/console/', { cookie: '' }],
    ['with another key', '/console/enter?key=a', { cookie: '' }],
    ['with the cookie from a page of another port', '/console/config.json', { origin: 'http://127.0.0.1:1' }],
    ['with the cookie for a foreign name', '/console/config.json', { host: 'evil.example' }],
  ])('goes on after a request %s', async (_which, asked, headers) => {
    expect(await endsAfter(idleMs, ({ ask }) => ask(asked, { headers }))).toBe(true);
  });
});
