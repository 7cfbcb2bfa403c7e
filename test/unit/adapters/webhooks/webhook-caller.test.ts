import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nameResolver, type Resolve } from '#shared/adapters/webhooks/name-resolver.ts';
import { webhookCaller } from '#shared/adapters/webhooks/webhook-caller.ts';
import { serveInTest } from '../../../support/http/test-server.ts';
import { dnsResponder, silentDns } from '../../../support/webhooks/dns-responder.ts';
import { madeCertificate } from '../../../support/webhooks/made-certificate.ts';

const body = JSON.stringify({ id: 'ntc_1', text: 'grüße' });
const headers = { 'content-type': 'application/json', 'webhook-id': 'ntc_1' };

type Options = Omit<Parameters<typeof webhookCaller>[0], 'mode'>;
const call = (url: string, options: Options = {}) =>
  webhookCaller({ mode: 'this-machine', ...options }).call({ url, headers, body });
/** For receivers that never end their answer. */
const shortly = { timeoutMs: 150 };

/** Starts a receiver that reads and writes bytes. Returns its URL. */
async function rawReceiver(accept: (socket: Socket) => void, host = '127.0.0.1', atPort = 0) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    accept(socket);
  }).listen(atPort, host);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, port, connections: () => sockets.size };
}

/** Starts a receiver with TLS for one name. */
async function secureReceiver(certificate: ReturnType<typeof madeCertificate>) {
  const requests: string[] = [];
  const server = createHttpsServer(certificate, (request, response) => {
    requests.push(String(request.headers.host));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, requests };
}

const failed = (code: string, answerCode: number | null = null) => ({
  succeeded: false,
  answerCode,
  failure: { code, message: expect.stringMatching(/^[A-Z].+\. [A-Z].+\.$/) },
});

describe('a receiver that answers', () => {
  test('gets one POST with the bytes and the headers of the call', async () => {
    const seen: { request: IncomingMessage; text: string }[] = [];
    const url = await serveInTest(async (request, response) => {
      let text = '';
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
      seen.push({ request, text });
      response.writeHead(204).end();
    });
    expect(await call(`${url}/hooks?a=b`)).toEqual({
      ...{ succeeded: true, answerCode: 204, failure: null, latencyMs: expect.any(Number) },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.request).toMatchObject({
      method: 'POST',
      url: '/hooks?a=b',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
    });
    expect(seen[0]?.text).toBe(body);
  });

  test.each([200, 201, 202, 204, 299])('with %i has got the notice', async (status) => {
    const url = await serveInTest((_, response) => void response.writeHead(status).end());
    expect(await call(url)).toMatchObject({ succeeded: true, answerCode: status });
  });

  test.each([301, 302, 303, 307, 308, 304])('with %i is not followed', async (status) => {
    const target = await rawReceiver(() => {});
    const url = await serveInTest((_, response) => void response.writeHead(status, { location: target.url }).end());
    expect(await call(url)).toMatchObject(failed('redirect', status));
    expect(target.connections()).toBe(0);
  });

  test.each([400, 401, 404, 410, 429, 500, 503])('with %i has not got the notice', async (status) => {
    const url = await serveInTest((_, response) => void response.writeHead(status).end('no'));
    expect(await call(url)).toMatchObject(failed('answer_not_2xx', status));
  });

  test.each([
    ['120', 120],
    ['99999999999', 999_999_999],
    ['9'.repeat(400), 999_999_999],
    ['Thu, 01 Jan 2026 00:02:00 GMT', 120],
    ['Wed, 31 Dec 2025 00:00:00 GMT', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['0', undefined],
    ['1e3', undefined],
    ['2026-01-01T00:02:00Z', undefined],
  ])('with Retry-After %j asks to wait for %s seconds', async (value, seconds) => {
    const url = await serveInTest((_, response) => void response.writeHead(503, { 'retry-after': value }).end());
    const answer = await call(url, { now: () => new Date('2026-01-01T00:00:00.000Z') });
    expect(answer.retryAfterSeconds).toBe(seconds);
  });
});

describe('the size of an answer', () => {
  const answering = (bytes: number) =>
    serveInTest((_, response) => void response.writeHead(200).end(Buffer.alloc(bytes)));

  test('may be 64 KB, and not one byte more', async () => {
    expect(await call(await answering(64 * 1024))).toMatchObject({ succeeded: true });
    expect(await call(await answering(64 * 1024 + 1))).toMatchObject(failed('answer_too_large', 200));
  });

  test('of a receiver that writes without end is not read any further', async () => {
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const url = await serveInTest((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) written += 16 * 1024;
      };
      response.on('drain', write).on('close', closed.resolve);
      write();
    });
    expect(await call(url)).toMatchObject(failed('answer_too_large', 200));
    await closed.promise;
    expect(written).toBeLessThan(20 * 1024 * 1024);
  });
});

describe('a receiver that takes longer than it may', () => {
  const never: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    'never answers': () => {},
    'sends the head and nothing more': (_, response) => void response.writeHead(200).flushHeaders(),
    'sends a byte now and then': (_, response) => {
      const timer = setInterval(() => response.write('.'), 5);
      response.writeHead(200).on('close', () => clearInterval(timer));
    },
    'announces its answer again and again': (_, response) => {
      const timer = setInterval(() => response.writeProcessing(), 5);
      response.on('close', () => clearInterval(timer));
    },
  };
  test.each(Object.keys(never))('and %s is given up', async (name) => {
    const url = await serveInTest(never[name] as (typeof never)[string]);
    expect(await call(url, shortly)).toMatchObject({
      ...failed('timeout', null),
      answerCode: expect.toBeOneOf([null, 200]),
    });
  });

  test('and sends its head byte by byte is given up', async () => {
    const { url } = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const timer = setInterval(() => socket.write('a'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await call(url, shortly)).toMatchObject(failed('timeout'));
  });

  test('and accepts without a TLS handshake is given up', async () => {
    const { port } = await rawReceiver(() => {});
    expect(await call(`https://127.0.0.1:${port}`, shortly)).toMatchObject(failed('timeout'));
  });

  test('whose name server does not answer is given up, and has no latency', async () => {
    const resolve: Resolve = () => new Promise(() => {});
    const answer = await call('https://receiver.example', { ...shortly, resolve });
    expect(answer).toMatchObject({ ...failed('timeout'), latencyMs: null });
  });
});

test('calls whose name servers are silent hold up no other lookup, and ask no more when their time is over', async () => {
  const silent = await silentDns();
  const resolve = nameResolver('public', { servers: silent.servers });
  const ended: string[] = [];
  const calls = Array.from({ length: 10 }, async () => {
    const { failure } = await call('https://receiver.example', { resolve, timeoutMs: 1_000 });
    ended.push(String(failure?.code));
  });
  await silent.asked(20);
  const other = await dnsResponder([['127.0.0.2']]);
  expect(await call('https://other.example', { resolve: other.resolve })).toMatchObject(failed('address_not_public'));
  expect(await lookup('localhost')).toMatchObject({ family: expect.any(Number) });
  expect(ended).toEqual([]);
  await Promise.all(calls);
  expect(new Set(ended)).toEqual(new Set(['timeout']));
});

describe('a receiver that breaks off', () => {
  test('by closing at once has not got the notice', async () => {
    const { url } = await rawReceiver((socket) => void socket.destroy());
    expect(await call(url)).toMatchObject(failed('connection_failed'));
  });

  test.each([
    ['after half of the head', 'HTTP/1.1 200 OK\r\nconte'],
    ['without a head', ''],
    ['with garbage', '\u0000\u0001\u0002 SSH-2.0-OpenSSH_9\r\n\r\n'],
    ['with a head that is too large', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(40_000)}\r\n\r\n`],
    ['with two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
  ])('%s has not got the notice', async (_, text) => {
    const { url } = await rawReceiver((socket) => void socket.once('data', () => socket.end(text)));
    expect(await call(url)).toMatchObject(failed('connection_failed'));
  });

  test('in the middle of a body may not have stored the notice', async () => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf';
    const { url } = await rawReceiver((socket) => void socket.once('data', () => socket.end(text)));
    expect(await call(url)).toMatchObject(failed('connection_failed', 200));
  });

  test('by another protocol has not got the notice', async () => {
    const text = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
    const { url } = await rawReceiver((socket) => void socket.once('data', () => socket.write(text)));
    expect(await call(url, { timeoutMs: 2_000 })).toMatchObject(failed('answer_not_2xx', 101));
  });

  test('because nobody listens has no latency', async () => {
    const { port } = await closedPort();
    expect(await call(`http://127.0.0.1:${port}`)).toMatchObject({ ...failed('connection_failed'), latencyMs: null });
  });

  test('because it has no address is not found', async () => {
    const resolve: Resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await call('https://receiver.example', { resolve })).toMatchObject(failed('host_not_found'));
  });
});

async function closedPort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return { port };
}

describe('TLS', () => {
  const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];

  test('with a trusted certificate of the host is accepted', async () => {
    const certificate = madeCertificate('receiver.example');
    const { port, requests } = await secureReceiver(certificate);
    const answer = await call(`https://receiver.example:${port}/hook`, { resolve, ca: certificate.cert });
    expect(answer).toMatchObject({ succeeded: true, answerCode: 200 });
    expect(requests).toEqual([`receiver.example:${port}`]);
  });

  test.each([
    ['signed by itself', madeCertificate('receiver.example'), false],
    ['of another host', madeCertificate('other.example'), true],
    ['that has expired', madeCertificate('receiver.example', new Date('2020-01-01')), true],
    ['that is not valid yet', madeCertificate('receiver.example', new Date('2040-01-01')), true],
  ])('with a certificate %s is refused', async (_, certificate, isTrusted) => {
    const { port, requests } = await secureReceiver(certificate);
    const trusted = isTrusted ? { ca: certificate.cert } : {};
    const answer = await call(`https://receiver.example:${port}`, { resolve, ...trusted });
    expect(answer).toMatchObject({ ...failed('tls_failed'), latencyMs: expect.any(Number) });
    expect(requests).toEqual([]);
  });

  test('with a receiver that speaks plain HTTP fails', async () => {
    const url = await serveInTest((_, response) => void response.end());
    expect(await call(url.replace('http:', 'https:'))).toMatchObject(failed('tls_failed'));
  });

  test('with a receiver that closes during the handshake fails', async () => {
    const { port } = await rawReceiver((socket) => void socket.once('data', () => socket.destroy()));
    expect(await call(`https://127.0.0.1:${port}`)).toMatchObject(failed('tls_failed'));
  });
});

describe('addresses that are not public', () => {
  test.each(['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'http://example.com', 'nonsense'])(
    '%s is not called',
    async (url) => {
      const answer = await webhookCaller({ mode: 'public' }).call({ url, headers, body });
      expect(answer).toMatchObject({ ...failed('address_not_public'), latencyMs: null });
    },
  );

  test('a name that stands for this machine is not called', async () => {
    const receiver = await rawReceiver(() => {});
    const { resolve } = await dnsResponder([['127.0.0.1']]);
    const caller = webhookCaller({ mode: 'public', resolve });
    const answer = await caller.call({ url: `https://receiver.example:${receiver.port}`, headers, body });
    expect(answer).toMatchObject(failed('address_not_public'));
    expect(receiver.connections()).toBe(0);
  });

  test('a name that changes its address after the check gains nothing', async () => {
    const answer200 = (socket: Socket) =>
      void socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    const allowed = await rawReceiver(answer200, '127.0.0.1');
    const forbidden = await rawReceiver(answer200, '127.0.0.2', allowed.port); // in no mode a receiver
    const { resolve, queries } = await dnsResponder([['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1', '127.0.0.2']]);
    const url = `http://receiver.example:${allowed.port}`;
    expect(await call(url, { resolve })).toMatchObject({ succeeded: true });
    expect(queries()).toBe(1);
    expect(await call(url, { resolve })).toMatchObject(failed('address_not_public'));
    expect(await call(url, { resolve })).toMatchObject(failed('address_not_public'));
    expect([allowed.connections(), forbidden.connections()]).toEqual([1, 0]);
  });
});
