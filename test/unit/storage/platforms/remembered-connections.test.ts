import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { connectionRepository, rememberedConnections } from '#shared/storage/platforms/connections.ts';
import { answering } from '../../../support/client/fake-client.ts';

const idOf = (index: number) => String(index).padStart(43, 'c');
const connectionOf = (connectionId: string): Connection => ({
  ...{ connectionId, organizationId: OrganizationId.parse('acme'), platform: 'daily' },
  ...{ settings: {}, createdAt: '2026-11-23T09:00:00.000Z' },
});

let time: number;
let rows: Map<string, Connection>;
let calls: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
let connections: ReturnType<typeof rememberedConnections>;

beforeEach(() => {
  time = 0;
  rows = new Map([[idOf(1), connectionOf(idOf(1))]]);
  const fake = answering({} as Parameters<typeof connectionRepository>[0], ({ input }) => ({
    Item: rows.get((input.Key as { readonly connectionId: string }).connectionId),
  }));
  calls = fake.calls;
  connections = rememberedConnections(connectionRepository(fake.client, 'connections'), { now: () => time });
});

test('a connection that was found costs one strong read in ten seconds, and is gone ten seconds after its removal', async () => {
  expect(await connections.find(idOf(1))).toEqual(rows.get(idOf(1)));
  rows.clear();
  time = 9_999;
  expect(await connections.find(idOf(1))).toBeDefined();
  expect(calls).toEqual([{ name: GetCommand.name, input: expect.objectContaining({ ConsistentRead: true }) }]);
  time = 10_000;
  expect(await connections.find(idOf(1))).toBeUndefined();
});

test('an id without a connection costs one read each time, so a new connection works at once', async () => {
  expect(await connections.find(idOf(2))).toBeUndefined();
  rows.set(idOf(2), connectionOf(idOf(2)));
  expect(await connections.find(idOf(2))).toBeDefined();
  expect(calls).toHaveLength(2);
});

test.each(['', 'short', 'c'.repeat(44), `${'c'.repeat(42)}/`, `${'c'.repeat(42)}ä`, `${'c'.repeat(43)}\n`])(
  'a text that cannot be an id costs no read: %j',
  async (text) => {
    expect(await connections.find(text)).toBeUndefined();
    expect(calls).toEqual([]);
  },
);

test('guessed ids take no memory from known connections', async () => {
  await connections.find(idOf(1));
  for (let index = 2; index < 2002; index += 1) await connections.find(idOf(index));
  const before = calls.length;
  await connections.find(idOf(1));
  expect(calls).toHaveLength(before);
});

test('remembers a thousand connections', async () => {
  for (let index = 1; index <= 1001; index += 1) {
    rows.set(idOf(index), connectionOf(idOf(index)));
    await connections.find(idOf(index));
  }
  await connections.find(idOf(2));
  expect(calls).toHaveLength(1001);
  await connections.find(idOf(1));
  expect(calls).toHaveLength(1002);
});
