import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clientOf, type RawAnswer } from '../support/checked-api.ts';
import { operationOf, operations } from '../support/described.ts';
import { organization } from '../support/machine.ts';

const call = clientOf(organization());
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'];
const paths = [...new Set(operations.map(({ path }) => path))];
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, () => randomUUID());

/** Expects the answer of the gateway: no function ran and no points were spent. */
function expectNotFound({ status, headers, text }: RawAnswer, method: string): void {
  expect([status, headers['x-ratelimit-limit']]).toEqual([404, undefined]);
  if (method !== 'HEAD') expect(JSON.parse(text)).toEqual({ message: 'Not Found' });
}

// Everything below a webhook's address is a webhook, so nothing there is unknown: see hooks.test.ts.
describe.each(paths.filter((path) => !path.endsWith('/{proxy}')))('%s', (path) => {
  const described = operations.filter((each) => each.path === path).map(({ method }) => method);

  it.each(methods.filter((method) => !operationOf(method, addressOf(path))))('returns 404 for %s', async (method) => {
    expectNotFound(await call(method, addressOf(path)), method);
  });

  it.each([
    ['with a trailing slash', (address: string) => `${address}/`],
    ['with a double slash', (address: string) => address.replace('/v1/', '/v1//')],
    ['in capitals', (address: string) => address.toUpperCase()],
    ['with a matrix parameter', (address: string) => address.replace('/v1/', '/v1;a=b/')],
    ['of another version', (address: string) => address.replace('/v1/', '/v2/')],
    ['with segments appended', (address: string) => `${address}/x/y`],
  ])('returns 404 for its address %s', async (_, spoilt) => {
    for (const method of described) expectNotFound(await call(method, spoilt(addressOf(path))), method);
  });
});
