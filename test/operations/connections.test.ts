import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeleteSecretCommand, GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, inject, test } from 'vitest';
import type { AskSecret } from '#operations/connections/ask-secret.ts';
import { openStores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { connectionSecretPrefix } from '#shared/runtime/names.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { dynamodb, endpoints, organization, secretsManager } from '../support/machine.ts';
import { fakeCloudFormation, fakeCognito } from '../support/operations/fake-cognito.ts';

const dataDir = await mkdtemp(path.join(inject('machine').temporaryFolder, 'connections-'));
await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify(endpoints));
const prefix = connectionSecretPrefix({ deployment: 'Roomscribe-dev' });

/** Runs `npm run organization` on the shared local runner, and returns everything that it prints. */
async function run(args: readonly string[], askSecret: AskSecret = async () => undefined): Promise<string> {
  const printed: string[] = [];
  const report = await runOrganization([...args, '--data-dir', dataDir], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', {}),
    cognito: fakeCognito().cognito,
    openStores,
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
    askSecret,
  });
  return [...printed, report].join('\n');
}

const idIn = (text: string): string => /id of the connection is (\S{43})\./.exec(text)?.[1] ?? '';
const valuesOf = async (id: string): Promise<string[]> => {
  const { SecretString = '' } = await secretsManager.send(new GetSecretValueCommand({ SecretId: `${prefix}${id}` }));
  return JSON.parse(SecretString).secrets.map(({ value }: { value: string }) => value);
};

test('a connection is made, listed, rotated, and removed, and its made secret is shown once', async () => {
  const acme = organization();
  const connected = await run(['connect', acme, 'daily']);
  const id = idIn(connected);
  const [first = ''] = await valuesOf(id);
  expect(connected).toContain(`${endpoints.apiUrl}/v1/hooks/${id}/daily`);
  expect(connected.split(first)).toHaveLength(2);

  const rotated = await run(['rotate', acme, '--connection', id]);
  const [old, added = ''] = await valuesOf(id);
  expect(old).toBe(first);
  expect(rotated).toContain(added);
  expect(rotated).not.toContain(first);
  await expect(run(['rotate', acme, '--connection', id])).rejects.toThrow('already has two secrets');
  const listed = await run(['connections', acme]);
  expect(listed).toMatch(/secrets {11}2\n {2}waiting webhooks {2}0/);
  for (const secret of [first, added]) expect(listed).not.toContain(secret);

  await run(['rotate', acme, '--connection', id, '--drop', 'old']);
  expect(await valuesOf(id)).toEqual([added]);
  await expect(run(['rotate', acme, '--connection', id, '--drop', 'old'])).rejects.toThrow('fewer than two secrets');
  await expect(run(['disconnect', acme, id])).rejects.toThrow('add --yes');
  await run(['disconnect', acme, id, '--yes']);
  await expect(valuesOf(id)).rejects.toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }));
  expect(await run(['connections', acme])).toContain('has no connections');
  await expect(run(['disconnect', acme, id, '--yes'])).rejects.toThrow(`has no connection ${id}`);
});

test('a secret of the platform is asked for and never shown, and rotate gives a connection its first one', async () => {
  const acme = organization();
  const connected = await run(
    ['connect', acme, 'livekit', '--key-id', 'API1'],
    async () => 'a-hidden-secret-of-livekit',
  );
  expect(connected).not.toContain('a-hidden-secret');
  expect(await valuesOf(idIn(connected))).toEqual(['a-hidden-secret-of-livekit']);

  const without = await run(['connect', acme, 'whereby']);
  expect(without).toContain('it refuses every webhook');
  const id = idIn(without);
  await expect(run(['rotate', acme, '--connection', id])).rejects.toThrow('add --secret-stdin');
  expect(await run(['rotate', acme, '--connection', id], async () => 'a-secret')).toContain('has its first secret');
  expect(await valuesOf(id)).toEqual(['a-secret']);
});

test('the printed lines name the API key of the command, also when its secret comes later', async () => {
  const connected = await run(['connect', organization(), 'livekit', '--key-id', 'API1']);
  expect(connected).toContain('it refuses every webhook');
  expect(connected).toContain('\n    api_key: API1\n');
});

test('a secret that cannot be read does not hide the other connections, and the message says what to do', async () => {
  const acme = organization();
  const [marked = '', broken = '', whole = ''] = [
    idIn(await run(['connect', acme, 'daily'])),
    idIn(await run(['connect', acme, 'jitsi'])),
    idIn(await run(['connect', acme, 'daily'])),
  ];
  await secretsManager.send(new DeleteSecretCommand({ SecretId: `${prefix}${marked}`, RecoveryWindowInDays: 7 }));
  await secretsManager.send(
    new PutSecretValueCommand({ SecretId: `${prefix}${broken}`, SecretString: 'a-hidden-value' }),
  );

  const listed = await run(['connections', acme]);
  for (const id of [marked, broken, whole]) expect(listed).toContain(`${id}\n  platform`);
  expect(listed).toContain(`aws secretsmanager restore-secret --secret-id ${prefix}${marked}`);
  expect(listed).toContain(`The secret of the connection ${broken} does not have the form that this service writes.`);
  expect(listed.match(/secrets {11}1$/gm)).toHaveLength(1);
  for (const id of [marked, broken]) {
    const error = await run(['rotate', acme, '--connection', id]).catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/restore-secret|Disconnect it, and connect again\./);
    expect(`${error} ${String((error as Error).cause)} ${listed}`).not.toContain('hidden');
    expect(await run(['disconnect', acme, id, '--yes'])).toContain(`Disconnected ${id}`);
  }
  expect((await run(['connections', acme])).match(/platform {10}/g)).toHaveLength(1);
});

test('a secret whose row is gone, after a crash, can still be disconnected by its organization only', async () => {
  const [acme, other] = [organization(), organization()];
  const id = idIn(await run(['connect', acme, 'daily']));
  const rows = connectionRepository(DynamoDBDocumentClient.from(dynamodb), String(endpoints.tables.connections));
  await rows.remove(id);
  await expect(run(['disconnect', other, id, '--yes'])).rejects.toThrow(`has no connection ${id}`);
  expect(await valuesOf(id)).toHaveLength(1);
  expect(await run(['disconnect', acme, id, '--yes'])).toContain(`Disconnected ${id}`);
  await expect(valuesOf(id)).rejects.toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }));
});

test('a wrong secret is named in words that follow "The secret"', async () => {
  const acme = organization();
  const problems: (string | undefined)[] = [];
  await run(['connect', acme, 'jaas'], async ({ problem }) => {
    problems.push(problem('12345678'), problem('whsec_1'), problem('whsec_12345678'));
    return 'whsec_12345678';
  });
  const wrong = 'must begin with whsec_, and have at least 8 characters after it';
  expect(problems).toEqual([wrong, wrong, undefined]);
});

test('of two rotations at once, one says that it changed nothing, and no secret is lost', async () => {
  const acme = organization();
  const id = idIn(await run(['connect', acme, 'whereby', '--secret-stdin'], async () => 'first'));
  let [asked, release] = [0, () => {}];
  const bothAsked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answering = (value: string) => async () => {
    asked += 1;
    if (asked === 2) release();
    await bothAsked;
    return value;
  };
  const rotations = ['second', 'third'].map((value) => run(['rotate', acme, '--connection', id], answering(value)));
  const results = await Promise.allSettled(rotations);

  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.map(({ reason }) => String(reason))).toEqual([expect.stringContaining('changed nothing')]);
  const kept = results[0]?.status === 'fulfilled' ? 'second' : 'third';
  expect(await valuesOf(id)).toEqual(['first', kept]);
});

test('a connection of another organization is unknown', async () => {
  const [acme, other] = [organization(), organization()];
  const id = idIn(await run(['connect', acme, 'daily']));
  for (const args of [
    ['rotate', other, '--connection', id],
    ['rotate', other, '--connection', id, '--drop', 'old'],
    ['disconnect', other, id, '--yes'],
    ['replay', other, id],
  ])
    await expect(run(args), args.join(' ')).rejects.toThrow(`has no connection ${id}`);
  expect(await valuesOf(id)).toHaveLength(1);
  expect(await run(['replay', acme, id])).toContain(`No webhook of ${id} is stored.`);
});
