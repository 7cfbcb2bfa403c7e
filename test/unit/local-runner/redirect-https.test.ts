import { once } from 'node:events';
import { createServer } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { expect, test, vi } from 'vitest';
import { redirected } from '#tools/local/lambda/redirect-https.ts';

const issuer = 'issuer.example.com';
const redirects = { [issuer]: 'http://127.0.0.1:1' };

/** What the original gets, and what the caller gets back. */
function intercept() {
  const returned = new https.Agent() as unknown as ReturnType<typeof https.request>;
  const original = vi.fn((..._: unknown[]) => returned);
  return { original, returned, request: redirected(original as unknown as typeof https.request, redirects) };
}

const callback = () => {};
const agent = new RequestFilteringHttpsAgent();

test.each<[string, Parameters<typeof https.request>]>([
  ['an address of another host', ['https://receiver.example.com/hook', { agent }, callback]],
  ['a URL', [new URL('https://receiver.example.com/hook'), callback]],
  ['options only', [{ hostname: issuer, path: '/', agent }, callback]],
  ['the redirected host, by an agent of the caller', [`https://${issuer}/keys`, { agent }, callback]],
  ['the redirected host, by a lookup of the caller', [new URL(`https://${issuer}/keys`), { lookup: callback }]],
  ['no address at all', ['not a URL', callback]],
] as [string, Parameters<typeof https.request>][])(
  'a request for %s passes unchanged, and so does what comes back',
  (_name, args) => {
    const { original, returned, request } = intercept();

    expect(request(...args)).toBe(returned);

    expect(original.mock.calls).toEqual([args]);
    for (const [index, argument] of args.entries()) expect(original.mock.calls[0]?.[index]).toBe(argument);
  },
);

test('the agent of a caller still refuses addresses of this machine', async () => {
  const request = redirected(https.request, redirects)('https://127.0.0.1:1/', { agent });
  const [error] = (await once(request, 'error')) as [Error];
  expect(error.message).toContain('is not allowed');
});

test('a request for a redirected host reaches the local service with its path and query', async () => {
  const paths: unknown[] = [];
  const server = createServer((incoming, response) => {
    paths.push(incoming.url);
    response.end('keys');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { original } = intercept();

  const request = redirected(original as unknown as typeof https.request, { [issuer]: url });
  const outgoing = request(`https://${issuer}/pool/keys.json?a=1`, { method: 'GET' });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
  response.resume();
  await once(response, 'end');
  server.close();

  expect(paths).toEqual(['/pool/keys.json?a=1']);
  expect(original).not.toHaveBeenCalled();
});
