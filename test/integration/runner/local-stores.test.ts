import { PutObjectCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import getPort from 'get-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTables } from '#tools/local/services/dynamodb/tables.ts';
import type { RunningServer } from '#tools/local/services/local-server.ts';
import { startSts } from '#tools/local/services/tokens/sts.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { endpoints, organization, s3 } from '../../support/machine.ts';

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

describe('lists of the local S3', () => {
  const Bucket = endpoints.buckets.recordings ?? '';
  const folder = `${organization()}/`;
  const starts = ['a', 'B', 'b', 'Z', '_', '-', '!', '~', '0', '10', '9', 'é', 'z\u0301', '\uff5e', '😀', '会議'];
  const names = starts.flatMap((start) => ['', '/x', '/Y', '-1', '.txt', '😀'].map((end) => `${start}${end}`));
  const many = Array.from({ length: 1000 }, (_, index) => `m${index}`);
  const keys = [...names, ...many].map((name) => `${folder}${name}`);
  const inOrder = (texts: Iterable<string>) =>
    [...texts].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  beforeAll(async () => {
    await Promise.all(keys.map((Key) => s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))));
  });

  const list = async (pageSize: number, request: object = {}) => {
    const found: { keys: string[]; prefixes: string[] } = { keys: [], prefixes: [] };
    const pages = paginateListObjectsV2({ client: s3, pageSize }, { Bucket, Prefix: folder, ...request });
    for await (const { Contents = [], CommonPrefixes = [] } of pages) {
      found.keys.push(...Contents.map(({ Key = '' }) => Key));
      found.prefixes.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix));
    }
    return found;
  };

  it.each([1000, 7])('have every key once, in the order of UTF-8 bytes, in pages of %d', async (pageSize) => {
    expect(await list(pageSize)).toEqual({ keys: inOrder(keys), prefixes: [] });
  });

  it.each([1000, 7, 1])('have every common prefix once, in pages of %d', async (pageSize) => {
    const request = { Prefix: pageSize === 1 ? `${folder}a` : folder, Delimiter: '/' };
    const names = keys.filter((key) => key.startsWith(request.Prefix)).map((key) => key.slice(folder.length));
    const [inFolders, plain] = [
      names.filter((name) => name.includes('/')),
      names.filter((name) => !name.includes('/')),
    ];
    expect(await list(pageSize, request)).toEqual({
      keys: inOrder(plain.map((name) => `${folder}${name}`)),
      prefixes: inOrder(new Set(inFolders.map((name) => `${folder}${name.slice(0, name.indexOf('/') + 1)}`))),
    });
  });

  it('go on after a key that a request names', async () => {
    const StartAfter = `${folder}\uff5e`; // before every character of two code units
    const after = inOrder(keys).slice(inOrder([...keys, StartAfter]).indexOf(StartAfter) + 1);
    expect(await list(1000, { StartAfter })).toEqual({ keys: after, prefixes: [] });
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
