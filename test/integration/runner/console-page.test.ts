import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { fileCorsFor } from '#infra/settings/cors.ts';
import { createConsolePage } from '#tools/local/console-page.ts';
import { rawRequest } from '../../support/http/raw-request.ts';
import { endpoints } from '../../support/machine.ts';

const { consoleUrl, apiUrl, s3Url } = endpoints;
const configUrl = `${consoleUrl}config.json`;
const { origin, port } = new URL(consoleUrl);

const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  rawRequest(port, path, { headers, method });

it('answers every view with the page, which loads only from this machine and from the local S3', async () => {
  const [page, view, redirect] = await Promise.all([
    fetch(consoleUrl),
    fetch(`${consoleUrl}room?name=%2Fteam`),
    fetch(consoleUrl.slice(0, -1), { redirect: 'manual' }),
  ]);

  expect([page.status, view.status, redirect.status]).toEqual([200, 200, 303]);
  expect(redirect.headers.get('location')).toBe('/console/');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  expect(await view.text()).toBe(html);
  expect(html).not.toContain('eyJ'); // the token is in config.json alone
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
      `connect-src 'self' ${s3Url}; media-src ${s3Url}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
});

it('lets browsers keep its scripts and styles, because their names change with what they say', async () => {
  const html = await (await fetch(consoleUrl)).text();
  const files = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css'))).toBe(true);
  for (const file of files) {
    const { status, headers } = await fetch(new URL(file, consoleUrl));
    expect([status, headers.get('cache-control')], file).toEqual([200, 'private, max-age=31536000, immutable']);
    expect(headers.get('content-type'), file).toMatch(/^(text\/javascript|text\/css|image\/svg\+xml)\b/);
  }
  expect((await fetch(`${consoleUrl}assets/of-another-build.js`)).status).toBe(404);
});

it('logs in with a token of the demo, which is not cached', async () => {
  const response = await fetch(configUrl);

  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  const config = JSON.parse(await response.text());
  const { client_id: organization, exp = 0 } = decodeJwt(config.token);
  expect([organization, Date.parse(config.expiresAt)]).toEqual(['acme', exp * 1000]);
  expect(config).toMatchObject({ signIn: 'token', deployment: 'acme on this machine' });
  const authorization = `Bearer ${config.token}`;
  expect((await fetch(`${apiUrl}/v1/insights/rooms`, { headers: { authorization } })).status).toBe(200);
});

describe('config.json', () => {
  it.each([
    ['a foreign name that leads to this machine', { host: 'evil.example:80' }],
    ['a name that begins with that of this machine', { host: `127.0.0.1:${port}.evil.example` }],
    ['a page of another origin', { origin: 'https://evil.example' }],
    ['a page of another port', { origin: 'http://127.0.0.1:1' }],
    ['a sandboxed page', { origin: 'null' }],
    ['a script element of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['a page of another port, which is the same site', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    [
      'a frame of another site',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
    ['a tunnel that changes the host', { 'x-forwarded-for': '203.0.113.7' }],
    ['a proxy that names itself', { via: '1.1 proxy' }],
    ['a proxy that tells the address of the client alone', { 'x-real-ip': '203.0.113.7' }],
    ['a proxy that tells the scheme alone', { 'x-forwarded-proto': 'https' }],
    ['a proxy that tells the host alone', { 'x-forwarded-host': 'roomscribe.example.com' }],
    ['Cloudflare', { 'cf-connecting-ip': '203.0.113.7' }],
    ['Akamai', { 'true-client-ip': '203.0.113.7' }],
    ['another port of this machine that leads here', { host: '127.0.0.1:1' }],
    ['this machine without the port', { host: '127.0.0.1' }],
    ['a proxy of RFC 7239', { forwarded: 'for=203.0.113.7' }],
  ])('is not for %s', async (_who, headers) => {
    const { status, body } = await ask('/console/config.json', headers);
    expect([status, body]).toEqual([404, '{"message":"Not Found"}']);
  });

  it.each([
    ['the page', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['the modules of the page, whose requests name its origin', { origin }],
    ['localhost', { host: `localhost:${port}`, origin: `http://localhost:${port}` }],
    ['a program of this machine', {}],
  ])('is for %s', async (_who, headers) => {
    expect((await ask('/console/config.json', headers)).status).toBe(200);
  });

  it.each(['POST', 'OPTIONS', 'DELETE'])('is not for %s', async (method) => {
    expect((await ask('/console/config.json', {}, method)).status).toBe(404);
  });
});

it('opens by a link of another site', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await ask('/console/rooms', headers)).status).toBe(200);
});

it.each([
  ['/console/../tools/local/start.ts', 200],
  ['/console/..%2f..%2fpackage.json', 200],
  ['/console/%2e%2e/package.json', 200],
  ['/console/.vite/manifest.json', 200],
  ['/console/assets/../../package.json', 404],
  ['/console//etc/passwd', 200],
  ['/consoles', 404],
])('answers %s with no file outside of the console', async (path, expected) => {
  const page = await ask('/console/');
  const { status, body } = await ask(path);
  expect(status).toBe(expected);
  if (status === 200) expect(body).toBe(page.body);
});

it('may fetch files of the local S3 as pages of a stage may, and other pages may not', async () => {
  const { transcripts } = endpoints.buckets;
  const [rule] = fileCorsFor([origin]);
  const preflight = (from: string) =>
    fetch(`${s3Url}/${transcripts}/a.json`, {
      method: 'OPTIONS',
      headers: { origin: from, 'access-control-request-method': 'GET', 'access-control-request-headers': 'range' },
    });
  for (const from of [origin, `http://localhost:${port}`]) {
    const { status, headers } = await preflight(from);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, from]);
    expect(headers.get('access-control-allow-headers')?.split(', ')).toEqual(rule?.allowedHeaders);
    expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(rule?.exposedHeaders);
    expect(headers.get('access-control-allow-methods')?.split(', ')).toEqual(rule?.allowedMethods);
  }
  for (const from of ['http://127.0.0.1:1', 'https://evil.example', 'null'])
    expect((await preflight(from)).status).toBe(403);
});

describe('a console that cannot be built', () => {
  it('says why, and tries again at the next request', async () => {
    let built = 0;
    const folder = async () => {
      built++;
      throw new Error('a mistake in a view');
    };
    const page = createConsolePage({ folder, requestToken: async () => 'a-token', s3Url });

    for (const times of [1, 2]) {
      const answer = await page('GET', '/console/rooms');
      expect([answer?.status, String(answer?.body), built]).toEqual([
        500,
        'The console cannot be built: a mistake in a view\n',
        times,
      ]);
    }
  });
});

describe('the console of an API with a public address', () => {
  const page = createConsolePage({ folder: async () => '', requestToken: undefined, s3Url });

  it.each(['/console', '/console/', '/console/config.json', '/console/assets/a.js'])(
    'has no page and no token: %s',
    async (path) => {
      const answer = await page('GET', path);
      expect(answer?.status).toBe(403);
      expect(String(answer?.body)).toMatch(/^This API has a public address, .* run roomscribe console\.\n$/);
    },
  );

  it('answers nothing else', async () => {
    expect(await page('GET', '/consoles')).toBeUndefined();
    expect(await page('POST', '/console/')).toBeUndefined();
  });
});
