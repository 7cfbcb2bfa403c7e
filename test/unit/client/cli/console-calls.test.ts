import getPort from 'get-port';
import { describe, expect, test } from 'vitest';
import { ConnectionError, TokenError } from '#client/errors.ts';
import { tokensFrom } from '#client/tokens.ts';
import { apiOf, json, openConsole, token } from '../../../support/client/console-server.ts';

/** A text with its characters percent-encoded, and then their percent signs. */
function encodedTimes(text: string, times: number): string {
  const once = text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return once.replaceAll('%', `%${'25'.repeat(times - 1)}`);
}

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
    '/v1/%25252e%25252e/a',
    `/v1/${encodedTimes('..', 9)}/a`,
    `/v1/${encodedTimes('a', 11)}`,
    '/v1/%252e%252e/%25zz',
    '/v1/..;/a',
    '/v1/.;a=b/a',
    '/v1/..%3b/a',
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

  test.each([
    '/v1/t/1/speakers/a%2Fb%20c',
    '/v1/insights/rooms?roomName=..%2F..%2Fa&a=/../b',
    '/v1/a%25b',
    '/v1/a..b',
    '/v1/a;b..;/c',
    '/v1/a%2525zz',
  ])('of the path %s arrives as it was sent', async (asked) => {
    const { apiUrl, asked: calls } = await apiOf(json(200, {}));
    const { ask } = await openConsole({ apiUrl: `${apiUrl}/stage` });
    expect((await ask(asked)).status).toBe(200);
    expect(calls.map(({ url }) => url)).toEqual([`/stage${asked}`]);
  });

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
