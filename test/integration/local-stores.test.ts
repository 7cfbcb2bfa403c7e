import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '#tools/local/services/local-server.ts';
import { startSts } from '#tools/local/services/sts.ts';
import { createTables } from '#tools/local/services/tables.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { endpoints, organization } from '../support/machine.ts';

describe('local tables', () => {
  const table = (name: string, sortKey: string) => ({
    logicalId: name,
    name,
    properties: {
      AttributeDefinitions: [
        { AttributeName: 'organizationId', AttributeType: 'S' as const },
        { AttributeName: sortKey, AttributeType: 'S' as const },
      ],
      KeySchema: [
        { AttributeName: 'organizationId', KeyType: 'HASH' as const },
        { AttributeName: sortKey, KeyType: 'RANGE' as const },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'reversed',
          KeySchema: [
            { AttributeName: sortKey, KeyType: 'HASH' as const },
            { AttributeName: 'organizationId', KeyType: 'RANGE' as const },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' as const },
        },
      ],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    },
  });
  const create = (name: string, sortKey: string, fresh = false) =>
    createTables(endpoints.dynamodbUrl, [table(name, sortKey)], { fresh });

  it('are created once and kept at the next start', async () => {
    const name = organization();
    await create(name, 'roomName');

    await expect(create(name, 'roomName')).resolves.toBeUndefined();
  });

  it('with other keys than the stack stop the start with an error that names --fresh', async () => {
    const name = organization();
    await create(name, 'roomName');

    await expect(create(name, 'startDate')).rejects.toThrow(UserError);
    await expect(create(name, 'startDate')).rejects.toThrow(/--fresh/);
    await expect(create(name, 'startDate', true)).resolves.toBeUndefined();
  });
});

describe('the local AssumeRole', () => {
  const RoleArn = 'arn:aws:iam::000000000000:role/links';
  let server: RunningServer;
  let sts: STSClient;
  beforeAll(async () => {
    server = await startSts({ port: await getPort(), roleArns: [RoleArn] });
    sts = new STSClient(clientSettings(server.url));
  });
  afterAll(() => server.stop());

  const assume = (change: object = {}) =>
    sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test', DurationSeconds: 900, ...change }));

  it('returns new credentials each time, with their true expiry', async () => {
    const before = Date.now();
    const [first, second] = await Promise.all([assume(), assume()]);

    expect(first.Credentials?.AccessKeyId).toMatch(/^ASIA[A-Z2-7]{16}$/);
    expect(first.Credentials?.SessionToken).not.toBe(second.Credentials?.SessionToken);
    const lifeMs = (first.Credentials?.Expiration?.getTime() ?? 0) - before;
    expect(Math.abs(lifeMs - 900_000)).toBeLessThan(2000);
  });

  it.each([
    ['more than the hour of role chaining', { DurationSeconds: 3601 }, 'ValidationError'],
    ['less than 15 minutes', { DurationSeconds: 899 }, 'ValidationError'],
    ['an invalid session name', { RoleSessionName: 'a b' }, 'ValidationError'],
    ['a role outside the stack', { RoleArn: `${RoleArn}-other` }, 'AccessDenied'],
  ])('rejects %s', async (_, change, name) => {
    await expect(assume(change)).rejects.toMatchObject({ name });
  });
});
