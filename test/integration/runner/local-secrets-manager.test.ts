import { randomUUID } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  paginateListSecrets,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import getPort from 'get-port';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningServer } from '#tools/local/services/aws-json.ts';
import { startSecretsManager } from '#tools/local/services/secrets/secrets-manager.ts';
import type { StackSecret } from '#tools/local/template/stack.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { makeDataFolder } from '../../support/data-folder.ts';
import { secretsManager } from '../../support/machine.ts';

describe('the local Secrets Manager', () => {
  let folder: string;
  let file: string;
  let server: RunningServer;
  let client: SecretsManagerClient;
  const logged: unknown[] = [];

  const start = async (stackSecrets: readonly StackSecret[] = []) => {
    const log = (event: unknown) => logged.push(event);
    server = await startSecretsManager({ port: await getPort(), file, stackSecrets, log });
    client = new SecretsManagerClient(clientSettings(server.url));
  };
  const stop = async () => {
    client.destroy();
    await server.stop();
  };
  const create = (Name: string, SecretString = 'first', more: object = {}) =>
    client.send(new CreateSecretCommand({ Name, SecretString, ...more }));
  const read = async (SecretId: string, more: object = {}) =>
    (await client.send(new GetSecretValueCommand({ SecretId, ...more }))).SecretString;

  beforeEach(async () => {
    folder = await makeDataFolder('roomscribe-secrets-');
    file = path.join(folder, 'secrets.json');
    await start();
  });
  afterEach(async () => {
    await stop();
    await rm(folder, { recursive: true });
  });

  test('reads a secret by its name and by its ARN, also after a restart', async () => {
    const { ARN = '', VersionId } = await create('app/connections/one');
    await stop();
    await start();

    expect(await read('app/connections/one')).toBe('first');
    expect(await client.send(new GetSecretValueCommand({ SecretId: ARN }))).toMatchObject({
      ...{ ARN, Name: 'app/connections/one', VersionId, VersionStages: ['AWSCURRENT'], CreatedDate: expect.any(Date) },
    });
  });

  test('makes the secrets of the stack once, each with a random value, and keeps them over a restart', async () => {
    const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Stack-One';
    const stackSecrets = [{ name: 'Stack-One', arn, valueLength: 64 }];
    await stop();
    await start(stackSecrets);
    const value = await read(arn);
    expect(value).toMatch(/^[A-Za-z0-9]{64}$/);
    await stop();
    await start([...stackSecrets, { ...stackSecrets[0], name: 'Stack-Two', arn: `${arn}2`, valueLength: 64 }]);

    expect(await read(arn)).toBe(value);
    expect(await read('Stack-Two')).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(await read('Stack-Two')).not.toBe(value);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('keeps a new value and the one before it', async () => {
    await create('one');
    for (const SecretString of ['second', 'third'])
      await client.send(new PutSecretValueCommand({ SecretId: 'one', SecretString }));

    expect(await read('one')).toBe('third');
    expect(await read('one', { VersionStage: 'AWSPREVIOUS' })).toBe('second');
  });

  test('gives a repeated request with its token the same answer, and refuses another value', async () => {
    const ClientRequestToken = randomUUID();
    const first = await create('one', 'first', { ClientRequestToken });
    const token = { SecretId: 'one', ClientRequestToken };

    expect(await create('one', 'first', { ClientRequestToken })).toMatchObject({ VersionId: first.VersionId });
    await expect(create('one', 'other', { ClientRequestToken })).rejects.toThrow(expected('ResourceExistsException'));
    await expect(client.send(new PutSecretValueCommand({ ...token, SecretString: 'other' }))).rejects.toThrow(
      expected('ResourceExistsException'),
    );
    await client.send(new PutSecretValueCommand({ ...token, SecretString: 'first' }));
    expect(await read('one')).toBe('first');
  });

  test('of many creations with one name, exactly one succeeds', async () => {
    const values = Array.from({ length: 10 }, (_, index) => `value ${index}`);
    const results = await Promise.allSettled(values.map((value) => create('one', value)));

    const created = values.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(created).toEqual([await read('one')]);
  });

  test('refuses what AWS refuses', async () => {
    await create('one');
    const missing = { SecretId: 'other' };
    for (const command of [
      new GetSecretValueCommand(missing),
      new DescribeSecretCommand(missing),
      new PutSecretValueCommand({ ...missing, SecretString: 'value' }),
      new DeleteSecretCommand(missing),
      new GetSecretValueCommand({ SecretId: 'one', VersionId: randomUUID() }),
    ])
      await expect(client.send(command as GetSecretValueCommand)).rejects.toThrow(
        expected('ResourceNotFoundException'),
      );
    await expect(create('one')).rejects.toThrow(expected('ResourceExistsException'));
    for (const wrong of [create('a name'), create('two', ''), create('two', 'x'.repeat(65_537))])
      await expect(wrong).rejects.toThrow(expected('InvalidParameterException'));
  });

  test('removes a secret at once by force, also twice, or marks it for deletion', async () => {
    await create('forced');
    await create('marked');
    const force = { SecretId: 'forced', ForceDeleteWithoutRecovery: true };
    await client.send(new DeleteSecretCommand(force));
    await client.send(new DeleteSecretCommand(force));
    await client.send(new DeleteSecretCommand({ SecretId: 'marked', RecoveryWindowInDays: 7 }));

    await expect(read('forced')).rejects.toThrow(expected('ResourceNotFoundException'));
    await expect(read('marked')).rejects.toThrow(expected('InvalidRequestException'));
    await expect(create('marked')).rejects.toThrow(expected('InvalidRequestException'));
    await create('forced', 'again');
    expect(await read('forced')).toBe('again');
    expect(await client.send(new DescribeSecretCommand({ SecretId: 'marked' }))).toMatchObject({
      DeletedDate: expect.any(Date),
    });
    await expect(client.send(new DeleteSecretCommand({ ...force, RecoveryWindowInDays: 7 }))).rejects.toThrow(
      expected('InvalidParameterException'),
    );
  });

  test('lists secrets by the beginning of the name and by tags, page by page, without values', async () => {
    const Tags = [{ Key: 'organization', Value: 'acme' }];
    await Promise.all([1, 2, 3].map((number) => create(`app/${number}`, 'hidden', { Tags })));
    await create('app/4');
    await create('other', 'hidden', { Tags });
    const names = async (...filters: readonly (readonly ['name' | 'tag-key' | 'tag-value', string])[]) => {
      const Filters = filters.map(([Key, value]) => ({ Key, Values: [value] }));
      const found: string[] = [];
      for await (const page of paginateListSecrets({ client, pageSize: 2 }, { Filters })) {
        expect(JSON.stringify(page)).not.toContain('hidden');
        found.push(...(page.SecretList ?? []).map(({ Name = '' }) => Name));
      }
      return found.toSorted();
    };

    expect(await names(['name', 'app/'], ['tag-key', 'organization'], ['tag-value', 'acme'])).toEqual([
      ...['app/1', 'app/2', 'app/3'],
    ]);
    expect(await names(['name', 'app/'])).toHaveLength(4);
    expect(await names(['tag-value', 'acm'])).toHaveLength(4);
    const all = await client.send(new ListSecretsCommand());
    expect(all.SecretList).toHaveLength(5);
    expect(all.NextToken).toBeUndefined();
  });

  test('keeps its file from other users, and neither logs nor reports a value', async () => {
    await create('one', 'a-hidden-value');
    await create('one', 'a-hidden-value').catch((error: Error) => expect(error.message).not.toContain('hidden'));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('a-hidden-value');
    expect(JSON.stringify(logged)).not.toContain('hidden');
    await writeFile(file, '[{"value": "a-hidden-value"');

    const again = startSecretsManager({ port: await getPort(), file, log: () => {} });

    const error = await again.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toMatch(/secrets\.json cannot be read.*--fresh/);
    expect(`${error} ${String((error as Error).cause)}`).not.toContain('hidden');
  });
});

test('the local runner has a Secrets Manager', async () => {
  const Name = `test/${randomUUID()}`;
  await secretsManager.send(new CreateSecretCommand({ Name, SecretString: 'value' }));

  const read = await secretsManager.send(new GetSecretValueCommand({ SecretId: Name }));
  expect(read.SecretString).toBe('value');
});

function expected(name: string): Error {
  return expect.objectContaining({ name }) as Error;
}
