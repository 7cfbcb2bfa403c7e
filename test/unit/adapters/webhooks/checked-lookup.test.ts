import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { checkedLookup, NotCalled } from '#shared/adapters/webhooks/checked-lookup.ts';
import type { Resolve } from '#shared/adapters/webhooks/name-resolver.ts';
import { dnsResponder } from '../../../support/webhooks/dns-responder.ts';

/** What a connection gets for a name: all addresses if it may try several, or one. */
function lookUp(resolve: Resolve, { all = true } = {}): Promise<string | LookupAddress[]> {
  const lookup = checkedLookup('public', resolve, new AbortController().signal);
  return new Promise((done, failed) => {
    lookup('receiver.example', { all }, (error, address) => (error ? failed(error) : done(address)));
  });
}

const refused = (failureCode: string) => expect.objectContaining({ name: 'Error', failureCode });

test('a name is asked for once, and the connection gets the addresses that were checked', async () => {
  const { resolve, queries } = await dnsResponder([['8.8.8.8', '1.1.1.1'], ['127.0.0.1']]);
  expect(await lookUp(resolve)).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '1.1.1.1', family: 4 },
  ]);
  expect(queries()).toBe(1);
  await expect(lookUp(resolve)).rejects.toEqual(refused('address_not_public'));
  expect(queries()).toBe(2);
});

test('a connection that tries one address gets one that was checked', async () => {
  const { resolve } = await dnsResponder([['8.8.8.8'], ['8.8.8.8', '10.0.0.1']]);
  expect(await lookUp(resolve, { all: false })).toBe('8.8.8.8');
  await expect(lookUp(resolve, { all: false })).rejects.toEqual(refused('address_not_public'));
});

test.each([
  ['8.8.8.8', '169.254.169.254'],
  ['fd00:0ec2:0:0:0:0:0:254', '8.8.8.8'],
  ['2606:4700:4700:0:0:0:0:1111', '0:0:0:0:0:ffff:7f00:1'],
  ['2606:4700:4700:0:0:0:0:1111', '0064:ff9b:0:0:0:0:a00:1'],
])('one refused address of %s and %s refuses the name', async (...addresses) => {
  const { resolve } = await dnsResponder([addresses]);
  await expect(lookUp(resolve)).rejects.toEqual(refused('address_not_public'));
});

test('an answer that is no address is refused', async () => {
  await expect(lookUp(async () => [{ address: 'localhost', family: 4 }])).rejects.toEqual(
    refused('address_not_public'),
  );
});

test('a name without an address is not found', async () => {
  await expect(lookUp(async () => [])).rejects.toEqual(refused('host_not_found'));
  const failing = lookUp(async () => {
    throw new Error('ENOTFOUND');
  });
  await expect(failing).rejects.toBeInstanceOf(NotCalled);
  await expect(failing).rejects.toEqual(refused('host_not_found'));
});
