import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { selfAuthenticatedEndpoint } from '#shared/http/self-authenticated-endpoint.ts';
import { startLocalApi } from '../../support/local-api.ts';
import { authenticateHook, receiveHook, signatureOf } from '../../support/webhooks/sample-hook.ts';

const routes = [
  'GET /things',
  'POST /things',
  'GET /things/{id}',
  'GET /things/special',
  'GET /things/{id}/{rest+}',
  'ANY /any',
];

let api: Awaited<ReturnType<typeof startLocalApi>>;
let authorization = '';
beforeAll(async () => {
  api = await startLocalApi(routes, { timeoutMs: 300 });
  authorization = `Bearer ${await api.sign()}`;
});
afterAll(() => api.stop());
beforeEach(() => {
  api.events.length = 0;
  api.behind.answer = async () => ({ ok: true, payload: '{}' });
});

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${api.url}${path}`, { ...init, headers: { authorization, ...init.headers } });

/** Sends a request without the normalization that fetch applies. */
async function callRaw(path: string, headers: readonly string[], method = 'GET') {
  const sent = request(`${api.url}${path}`, { method, path, headers: [...headers, 'host', 'api.test'] });
  sent.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject);
  });
  return { status: response.statusCode, body: await text(response) };
}

describe('the event of a request', () => {
  it('has payload format 2.0', async () => {
    await call('/things/a%20b?x=1&y=%C3%BC&x=2', { headers: { 'X-Custom': 'Value', cookie: 'a=1; b=2' } });

    expect(api.events[0]).toMatchObject({
      version: '2.0',
      routeKey: 'GET /things/{id}',
      rawPath: '/things/a b',
      rawQueryString: 'x=1&y=%C3%BC&x=2',
      cookies: ['a=1', 'b=2'],
      headers: { 'x-custom': 'Value', host: new URL(api.url).host, 'x-forwarded-proto': 'http' },
      queryStringParameters: { x: '1,2', y: 'ü' },
      pathParameters: { id: 'a b' },
      requestContext: {
        http: { method: 'GET', path: '/things/a b', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
        routeKey: 'GET /things/{id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
      isBase64Encoded: false,
    });
    expect(api.events[0]?.headers).not.toHaveProperty('cookie');
  });

  it('omits what the request does not have', async () => {
    await call('/things');

    expect(Object.keys(api.events[0] ?? {})).toEqual([
      'version',
      'routeKey',
      'rawPath',
      'rawQueryString',
      'headers',
      'requestContext',
      'isBase64Encoded',
    ]);
  });

  it('carries what the authorizer passed on', async () => {
    await call('/things');
    expect(api.events[0]?.requestContext.authorizer.lambda).toEqual({
      client_id: 'acme',
      tokenExpiry: String(api.claims.exp),
    });
  });

  it('joins repeated headers', async () => {
    await callRaw('/things', ['authorization', authorization, 'x-a', '1', 'X-A', '2']);

    expect(api.events[0]?.headers['x-a']).toBe('1,2');
  });

  it('cuts the decoded path at a decoded question mark', async () => {
    await callRaw('/things/a%3Fb', ['authorization', authorization]);

    expect(api.events[0]).toMatchObject({ rawPath: '/things/a', pathParameters: { id: 'a?b' } });
  });

  it.each([
    ['application/json', '{"ü":1}', { body: '{"ü":1}', isBase64Encoded: false }],
    ['application/problem+json; charset=utf-8', '{}', { body: '{}', isBase64Encoded: false }],
    ['text/plain', 'hi', { body: 'hi', isBase64Encoded: false }],
    ['application/octet-stream', 'hi', { body: 'aGk=', isBase64Encoded: true }],
    ['application/x-www-form-urlencoded', 'a=1', { body: 'YT0x', isBase64Encoded: true }],
  ])('carries a body of type %s', async (contentType, body, expected) => {
    await call('/things', { method: 'POST', body, headers: { 'content-type': contentType } });

    expect(api.events[0]).toMatchObject(expected);
  });
});

describe('the local gateway', () => {
  it.each([
    ['GET', '/things/special', 'GET /things/special'],
    ['GET', '/things/other', 'GET /things/{id}'],
    ['GET', '/things/other/a/b', 'GET /things/{id}/{rest+}'],
    ['DELETE', '/any', 'ANY /any'],
  ])('routes %s %s to %s', async (method, path, routeKey) => {
    await call(path, { method });

    expect(api.events[0]?.routeKey).toBe(routeKey);
  });

  it.each([
    ['GET', '/'],
    ['GET', '/nothing'],
    ['GET', '/Things'],
    ['GET', '/things/'],
    ['DELETE', '/things'],
    ['HEAD', '/things'],
    ['OPTIONS', '/things'],
  ])('returns 404 for %s %s', async (method, path) => {
    const response = await call(path, { method });

    expect(response.status).toBe(404);
    if (method !== 'HEAD') expect(await response.json()).toEqual({ message: 'Not Found' });
    expect(api.events).toEqual([]);
  });

  it('returns 400 for broken percent-encoding', async () => {
    expect(await callRaw('/things/%zz', ['authorization', authorization])).toEqual({
      status: 400,
      body: '{"message":"Bad Request"}',
    });
  });
});

describe('the answer of a function', () => {
  const answering = (payload: unknown) => {
    api.behind.answer = async () => ({ ok: true, payload: JSON.stringify(payload) });
    return call('/things');
  };

  it('sets status, headers, cookies and body if it has a status code', async () => {
    const headers = { 'Content-Type': 'application/json', 'X-Number': 7 };
    const response = await answering({ statusCode: 201, headers, cookies: ['a=1', 'b=2'], body: '{"a":1}' });

    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([response.headers.get('content-type'), response.headers.get('x-number')]).toEqual(['application/json', '7']);
    expect(await response.text()).toBe('{"a":1}');
  });

  it('is decoded if it is marked as base64', async () => {
    const response = await answering({ statusCode: 200, body: 'aGk=', isBase64Encoded: true });

    expect(await response.text()).toBe('hi');
  });

  it('has no body and no content type if the function returned none', async () => {
    const response = await answering({ statusCode: 204 });

    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([204, null, '']);
  });

  it.each([
    ['an object', { a: 1 }, '{"a":1}'],
    ['a list', [1], '[1]'],
    ['text', 'hi', 'hi'],
    ['null', null, 'null'],
  ])('without a status code becomes a 200 with JSON: %s', async (_, payload, body) => {
    const response = await answering(payload);

    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.text()).toBe(body);
  });

  it.each([
    ['a body that is not a string', { statusCode: 200, body: { a: 1 } }],
    ['an impossible status', { statusCode: 42 }],
  ])('becomes a 500 if it has %s', async (_, payload) => {
    const response = await answering(payload);

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });

  it('becomes a 500 if the function fails', async () => {
    api.behind.answer = async () => ({ ok: false, fault: { errorType: 'Error', errorMessage: 'secret', trace: [] } });
    const response = await call('/things');

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });

  it('becomes a 503 if the function takes too long', async () => {
    api.behind.answer = async () => delay(2000, { ok: true, payload: '{}' } as const, { ref: false });
    const response = await call('/things');

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: 'Service Unavailable' });
  });
});

describe('limits of the local gateway', () => {
  const headers = { 'content-type': 'application/json' };

  it('accept a body of 10 MB, and reject one byte more with 413', async () => {
    const [largest, tooLarge] = [10 * 1024 * 1024, 10 * 1024 * 1024 + 1];

    expect((await call('/things', { method: 'POST', headers, body: 'x'.repeat(largest) })).status).toBe(200);
    const refused = await call('/things', { method: 'POST', headers, body: 'x'.repeat(tooLarge) });

    expect(refused.status).toBe(413);
    expect(await refused.json()).toEqual({ message: 'Request Entity Too Large' });
    expect(api.events).toHaveLength(1);
  });

  it('reject a body of unknown length at the same size', async () => {
    const megabyte = new Uint8Array(1024 * 1024);
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 12; sent += 1) controller.enqueue(megabyte);
        controller.close();
      },
    });

    const refused = await call('/things', { method: 'POST', headers, body, duplex: 'half' });

    expect(refused.status).toBe(413);
    expect(api.events).toEqual([]);
  });

  it('reject headers over 10 240 bytes with 431', async () => {
    const refused = await callRaw('/things', ['authorization', authorization, 'x-long', 'x'.repeat(10_240)]);

    expect(refused).toEqual({ status: 431, body: '{"message":"Request Header Fields Too Large"}' });
    expect(api.events).toEqual([]);
  });
});

it('the local gateway keeps serving after a caller disconnects during a request', async () => {
  const left = request(`${api.url}/things`, { method: 'POST', headers: { authorization, 'content-length': '100' } });
  left.on('error', () => undefined);
  left.write('half');
  await delay(50);
  left.destroy();

  expect((await call('/things')).status).toBe(200);
});

it('the local gateway serves a self-authenticated endpoint without a token, and passes its body on unchanged', async () => {
  const open = await startLocalApi(['POST /v1/hooks/{connectionId}'], { isOpen: true });
  let requests = 0;
  const endpoint = selfAuthenticatedEndpoint(
    receiveHook,
    {
      authenticate: authenticateHook,
      rateLimiter: {
        count: async (_operationId, _key, limit) => {
          requests++;
          return { isExceeded: requests > limit, limit, remaining: 0, resetsAt: Date.now() / 1000 + 60 };
        },
      },
    },
    async () => ({}),
  );
  open.behind.answer = async (event) => {
    const context = { getRemainingTimeInMillis: () => 29_000 } as Context;
    return { ok: true, payload: JSON.stringify(await endpoint(event, context)) };
  };
  const body = '{ "count": 1, "name": "ü" }';
  const send = async (signature: string) => {
    const headers = { 'content-type': 'application/json', 'x-signature': signature };
    const { status } = await fetch(`${open.url}/v1/hooks/connection-1`, { method: 'POST', headers, body });
    return status;
  };
  try {
    const signature = signatureOf('connection-1', body);
    expect(await send('forged')).toBe(401);
    expect([await send(signature), await send(signature), await send(signature)]).toEqual([202, 202, 202]);
    expect(await send(signature)).toBe(429);
  } finally {
    await open.stop();
  }
});
