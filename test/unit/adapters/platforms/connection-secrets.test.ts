import {
  GetSecretValueCommand,
  InvalidRequestException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, test } from 'vitest';
import { connectionSecrets } from '#shared/adapters/platforms/connection-secrets.ts';
import { answering } from '../../../support/client/fake-client.ts';

const createdAt = '2026-11-23T09:00:00.000Z';
const prefix = 'app/connections/';

let time: number;
let stored: Map<string, readonly string[]>;
let fault: Error | undefined;
let calls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
let secrets: ReturnType<typeof connectionSecrets>;

beforeEach(() => {
  time = 0;
  stored = new Map([['one', ['first']]]);
  fault = undefined;
  const fake = answering(new SecretsManagerClient({ region: 'eu-west-1' }), ({ input }) => {
    if (fault) throw fault;
    const values = stored.get(String(input.SecretId).slice(prefix.length));
    if (!values) throw new ResourceNotFoundException({ message: 'There is no such secret.', $metadata: {} });
    return { SecretString: JSON.stringify({ secrets: values.map((value) => ({ value, createdAt })) }) };
  });
  calls = fake.calls;
  secrets = connectionSecrets(fake.client, prefix, { now: () => time });
});

const values = async (id = 'one', options?: { readonly fresh?: boolean }) =>
  (await secrets.read(id, options)).map(({ value }) => value);

test('reads both secrets of a rotation, the newest first, by the name of the connection', async () => {
  stored.set('one', ['first', 'second']);
  expect(await values()).toEqual(['second', 'first']);
  expect(calls).toEqual([{ name: GetSecretValueCommand.name, input: { SecretId: `${prefix}one` } }]);
});

test('a removed secret is valid for less than a minute, and not longer', async () => {
  await values();
  stored.delete('one');
  time = 59_999;
  expect(await values()).toEqual(['first']);
  time = 60_000;
  expect(await values()).toEqual([]);
  expect(calls).toHaveLength(2);
});

test('a fresh read sees a new secret ten seconds after the last read, and costs nothing before', async () => {
  await values();
  stored.set('one', ['first', 'second']);
  time = 9_999;
  expect(await values('one', { fresh: true })).toEqual(['first']);
  expect(calls).toHaveLength(1);
  time = 10_000;
  expect(await values('one', { fresh: true })).toEqual(['second', 'first']);
  expect(calls).toHaveLength(2);
});

test('fresh reads of a connection without a secret are as rare as those of others', async () => {
  for (time = 0; time < 60_000; time += 100) expect(await values('none', { fresh: true })).toEqual([]);
  expect(calls).toHaveLength(6);
});

test('each connection has its own secrets and its own ten seconds', async () => {
  stored.set('two', ['of two']);
  expect([await values(), await values('two'), await values()]).toEqual([['first'], ['of two'], ['first']]);
  expect(calls).toHaveLength(2);
});

test('keeps the secrets of the last thousand connections that were read', async () => {
  for (let index = 0; index <= 1000; index += 1) await values(`other-${index}`);
  expect(calls).toHaveLength(1001);
  await values('other-1');
  expect(calls).toHaveLength(1001);
  await values('other-0');
  expect(calls).toHaveLength(1002);
});

test('a secret whose deletion somebody has scheduled is valid no more', async () => {
  fault = new InvalidRequestException({
    message: 'You can’t perform this operation on the secret because it was marked for deletion.',
    $metadata: {},
  });
  expect(await values()).toEqual([]);
});

describe('an error of Secrets Manager', () => {
  beforeEach(() => {
    fault = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' });
  });

  test('is thrown, and is not remembered as the absence of secrets', async () => {
    await expect(values()).rejects.toBe(fault);
    fault = undefined;
    expect(await values()).toEqual(['first']);
  });

  test('is thrown by a fresh read, and leaves the kept secrets in place', async () => {
    const before = fault;
    fault = undefined;
    await values();
    fault = before;
    time = 10_000;
    await expect(values('one', { fresh: true })).rejects.toBe(fault);
    expect(await values()).toEqual(['first']);
    time = 60_000;
    await expect(values()).rejects.toBe(fault);
  });
});

test.each(['not JSON with a-hidden-value', '{"secrets":[]}', '{"secrets":["a-hidden-value"]}'])(
  'a secret of another form is an error that does not show it: %s',
  async (SecretString) => {
    const fake = answering(new SecretsManagerClient({ region: 'eu-west-1' }), () => ({ SecretString }));
    const error = await connectionSecrets(fake.client, prefix)
      .read('one')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(`${error} ${String((error as Error).cause)}`).not.toContain('hidden');
  },
);
