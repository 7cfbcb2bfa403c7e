import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { operationOf, operations } from '../../support/docs/described.ts';
import { clientOf, codeOf, type RawAnswer } from '../../support/http/checked-api.ts';
import { organization } from '../../support/machine.ts';

const call = clientOf(organization());
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'];
const paths = [...new Set(operations.map(({ path }) => path))];
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, () => randomUUID());

/** Expects the answer of the gateway: no function ran and no points were spent. */
function expectNotFound({ status, headers, text }: RawAnswer, method: string): void {
  expect([status, headers['x-ratelimit-limit']]).toEqual([404, undefined]);
  if (method !== 'HEAD') expect(JSON.parse(text)).toEqual({ message: 'Not Found' });
}

/** Changes of an address that make it longer. Below a connection, everything is the address of a webhook. */
const longer = ['with a trailing slash', 'with segments appended'];

describe.each(paths)('%s', (path) => {
  const isOpenBelow = path.endsWith('/{proxy}');
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
  ])('is not found at its address %s', async (change, spoilt) => {
    for (const method of described) {
      const answer = await call(method, spoilt(addressOf(path)));
      if (isOpenBelow && longer.includes(change))
        expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthorized']);
      else expectNotFound(answer, method);
    }
  });
});

it('returns 404 for the address of a connection without anything below it', async () => {
  for (const method of methods) expectNotFound(await call(method, `/v1/hooks/${'c'.repeat(43)}`), method);
});
