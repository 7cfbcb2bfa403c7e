import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AskSecret } from '#operations/connections/ask-secret.ts';
import { maxConnections } from '#operations/connections/manage.ts';
import { openStores } from '#operations/erasure/deployment.ts';
import { runOrganization } from '#operations/organization/run.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { dynamodb, endpoints, organization, secretsManager } from '../support/machine.ts';
import { fakeCloudFormation, fakeCognito } from '../support/operations/fake-cognito.ts';
import { outputsOf, poolOutputs } from '../support/operations/stage-outputs.ts';
import { secretPrefix } from '../support/webhooks/connections.ts';

// The shared local runner as stage dev, with a user pool.

const outputs = { ApiUrl: endpoints.apiUrl, ...outputsOf(endpoints) };
const withPool = { ...outputs, ...poolOutputs };
const connections = connectionRepository(DynamoDBDocumentClient.from(dynamodb), String(endpoints.tables.connections));
const noAnswer: AskSecret = async () => undefined;

let cognito: ReturnType<typeof fakeCognito>;
let acme: { readonly name: string; readonly id: OrganizationId };

/** Runs `npm run organization` on the stage. Returns everything that it prints. */
async function run(args: readonly string[], { stack = withPool, askSecret = noAnswer }: Given = {}): Promise<string> {
  const printed: string[] = [];
  const report = await runOrganization([...args, '--stage', 'dev'], {
    cloudFormation: fakeCloudFormation('Roomscribe-dev', stack),
    cognito: cognito.cognito,
    openStores: () => openStores(endpoints),
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
    askSecret,
  });
  return [...printed, report].join('\n');
}

type Given = { readonly stack?: Readonly<Record<string, string>>; readonly askSecret?: AskSecret };

const idIn = (text: string): string => /id of the connection is (\S{43})\./.exec(text)?.[1] ?? '';
const secretOf = (connectionId: string) =>
  secretsManager.send(new DescribeSecretCommand({ SecretId: `${secretPrefix}${connectionId}` }));
const notFound = expect.objectContaining({ name: 'ResourceNotFoundException' }) as Error;

beforeEach(async () => {
  cognito = fakeCognito();
  const name = organization();
  const created = await run(['create', name]);
  const id = OrganizationId.parse(/organization id {2}(\S+)/.exec(created)?.[1]);
  acme = { name, id };
});

describe('delete', () => {
  test('says which connections still take webhooks, and removes them with the organization', async () => {
    const ids = [
      idIn(await run(['connect', acme.name, 'daily'])),
      idIn(await run(['connect', acme.id, 'jitsi'])),
      idIn(await run(['connect', acme.name, 'whereby'])), // without a secret
    ];
    const list = `  ${ids[0]}  Daily\n  ${ids[1]}  Jitsi\n  ${ids[2]}  Whereby\n`;

    const warning = await run(['delete', acme.name]).catch(({ message }: Error) => message);
    expect(warning).toContain(`whose webhooks are refused from then on:\n${list}To confirm, add --yes.`);
    expect(await connections.listOf(acme.id)).toHaveLength(3);
    expect(cognito.clients).toHaveLength(1);

    const report = await run(['delete', acme.name, '--yes']);
    expect(report).toContain(`Remove the webhooks at the platforms, too: they go on sending otherwise.\n${list}`);
    expect(await connections.listOf(acme.id)).toEqual([]);
    for (const id of ids) await expect(secretOf(id)).rejects.toThrow(notFound);
    expect(cognito.clients).toEqual([]);
  });

  test('can run again if it died before it removed the client', async () => {
    await run(['connect', acme.name, 'daily']);
    const error = new Error('socket hang up');
    cognito.fault.next = { name: 'DeleteUserPoolClientCommand', error, isDone: false };
    await expect(run(['delete', acme.name, '--yes'])).rejects.toThrow('socket hang up');
    expect(await connections.listOf(acme.id)).toEqual([]);
    expect(await run(['delete', acme.name, '--yes'])).toContain(`Deleted ${acme.name}`);
  });

  test('says nothing of connections if there are none', async () => {
    await expect(run(['delete', acme.name])).rejects.toThrow(/none of the data\.\nTo confirm, add --yes\.$/);
    expect(await run(['delete', acme.name, '--yes'])).not.toMatch(/connect|webhook/);
  });
});

describe('connect', () => {
  test('encrypts the secret with the key of the stage, if it has its own', async () => {
    const EncryptionKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/1234';
    const stack = { ...withPool, EncryptionKeyArn };
    const own = idIn(await run(['connect', acme.name, 'daily'], { stack }));
    expect((await secretOf(own)).KmsKeyId).toBe(EncryptionKeyArn);
    expect((await secretOf(own)).Tags).toEqual([{ Key: 'organizationId', Value: acme.id }]);

    const without = idIn(await run(['connect', acme.name, 'whereby']));
    await run(['rotate', acme.name, '--connection', without], {
      stack,
      askSecret: async () => 'a-secret-of-whereby',
    });
    expect((await secretOf(without)).KmsKeyId).toBe(EncryptionKeyArn);
    expect((await secretOf(idIn(await run(['connect', acme.name, 'daily'])))).KmsKeyId).toBeUndefined();
  });

  test('refuses an organization that the user pool does not have, and says how to list them', async () => {
    const problem = await run(['connect', 'nobody', 'daily']).catch(({ message }: Error) => message);
    expect(problem).toMatch(/no client nobody.*Nothing was connected\..*organization -- list --stage dev$/s);
    expect(await connections.listOf(OrganizationId.parse('nobody'))).toEqual([]);
  });

  test('takes any organization on a stage with its own token issuer', async () => {
    const own = organization();
    const report = await run(['connect', own, 'daily'], { stack: outputs });
    expect(report).toContain(`npm run organization -- connections ${own} --stage dev`);
    expect(await connections.listOf(OrganizationId.parse(own))).toHaveLength(1);
  });

  test(`makes ${maxConnections} connections of an organization, and not one more`, async () => {
    const rowOf = (index: number): Connection => ({
      ...{ connectionId: `${acme.id}-${String(index).padStart(2, '0')}`.padEnd(43, '0'), organizationId: acme.id },
      ...{ platform: 'daily', settings: {}, createdAt: '2026-11-23T09:00:00.000Z' },
    });
    for (let index = 1; index < maxConnections; index += 1) await connections.put(rowOf(index));
    await run(['connect', acme.name, 'daily']);
    const problem = await run(['connect', acme.name, 'daily']).catch(({ message }: Error) => message);
    expect(problem).toContain(`already has 50 connections, the maximum is 50. Disconnect one that is not used:`);
    expect(problem).toContain(`npm run organization -- connections ${acme.name} --stage dev`);
    expect(await connections.listOf(acme.id)).toHaveLength(maxConnections);
    const [first] = await connections.listOf(acme.id);
    await run(['disconnect', acme.name, String(first?.connectionId), '--yes']);
    expect(idIn(await run(['connect', acme.name, 'daily']))).toHaveLength(43);
  });
});
