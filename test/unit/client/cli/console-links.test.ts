import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createLinks } from '#client/cli/commands/common/console/links.ts';
import { apiOf, json, openConsole } from '../../../support/client/console-server.ts';

describe('a link to a file', () => {
  const file = '0123456789';

  /** An API that gives links to a storage with one file. */
  async function withFile(storage: RequestListener, expires = Date.now() + 60_000, kind = 'access') {
    const { apiUrl: storageUrl, asked } = await apiOf(storage);
    const link = `${storageUrl}/bucket/a.mp3?X-Amz-Signature=secret`;
    const expiresAt = new Date(expires).toISOString();
    const { apiUrl } = await apiOf(
      json(
        200,
        kind === 'access' ? { accessLink: link, expires } : { url: link, expiresAt, contentType: 'audio/mpeg' },
      ),
    );
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

  const kinds = [
    ['access', 'accessLink'],
    ['recording', 'url'],
  ] as const;

  test.each(kinds)('is replaced by an address of this server: %s', async (kind, field) => {
    const { ask, port, storageUrl, asked } = await withFile(ranged, undefined, kind);

    const { body } = await ask(`/v1/transcriptions/1/${kind}-link?format=json`, {
      headers: { host: `localhost:${port}` },
    });

    expect(body).not.toContain(storageUrl);
    const link = new URL(JSON.parse(body)[field]);
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

  test.each(kinds)('ends with the link: %s', async (kind, field) => {
    const { ask } = await withFile(ranged, Date.now() - 1, kind);
    const { pathname } = new URL(JSON.parse((await ask(`/v1/transcriptions/1/${kind}-link`)).body)[field]);
    expect((await ask(pathname)).status).toBe(404);
  });

  test('leads nowhere else: a redirect is not followed', async () => {
    const elsewhere = await apiOf((_request, response) => response.end('elsewhere'));
    const { ask } = await withFile((_request, response) =>
      response.writeHead(302, { location: elsewhere.apiUrl }).end(),
    );
    const { pathname } = new URL(JSON.parse((await ask('/v1/transcriptions/1/access-link')).body).accessLink);
    const { status, headers } = await ask(pathname);
    expect([status, headers.location, elsewhere.asked]).toEqual([502, undefined, []]);
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

test('addresses in other fields of an answer are left as they are', () => {
  const others = { documentation: 'https://docs.example.com/a', expiresAt: '2026-01-01T00:00:00.000Z' };
  const body = JSON.stringify({ url: 'https://s3.example.com/a', ...others });
  expect(JSON.parse(createLinks().replaceIn(body, 'http://127.0.0.1:1'))).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/files\//),
    ...others,
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
