import { expect, test } from 'vitest';
import { nameResolver, type Resolve } from '#shared/adapters/webhooks/name-resolver.ts';
import { dnsResponder, silentDns } from '../../../support/webhooks/dns-responder.ts';

const ask = (resolve: Resolve, hostname = 'receiver.example', { signal } = new AbortController()) =>
  resolve(hostname, signal);

test.each([
  ['8.8.8.8', 4],
  ['2606:4700:4700:0:0:0:0:1111', 6],
])('a host with no other address than %s is found', async (address, family) => {
  const { resolve, queries } = await dnsResponder([[address]]);
  expect(await ask(resolve)).toEqual([{ address: address.replace(/(:0)+:/, '::'), family }]);
  expect(queries(), 'the name server was asked, not the system').toBe(1);
});

test.each(['public', 'this-machine'] as const)('in mode %s, a name that no one knows is not found', async (mode) => {
  const { servers } = await dnsResponder([[]]);
  await expect(ask(nameResolver(mode, { servers }), 'unknown.invalid')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
});

test('this machine is found without a name server in mode this-machine only', async () => {
  const { servers, queries } = await dnsResponder([[]]);
  const found = await ask(nameResolver('this-machine', { servers }), 'localhost');
  expect(found.map(({ address }) => address)).toContainEqual(expect.toBeOneOf(['127.0.0.1', '::1']));
  expect(queries()).toBe(0);
  await expect(ask(nameResolver('public', { servers }), 'localhost')).rejects.toThrow('ENOTFOUND');
});

test('a question without an answer ends with the call that asks', async () => {
  const { servers, asked } = await silentDns();
  const call = new AbortController();
  const asking = ask(nameResolver('public', { servers }), 'receiver.example', call);
  await asked(2);
  call.abort();
  await expect(asking).rejects.toThrow('ECANCELLED');
  await expect(ask(nameResolver('public', { servers }), 'receiver.example', call)).rejects.toThrow('aborted');
});
