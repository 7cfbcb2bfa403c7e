import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { maxRememberedParticipants, type PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { platformSessions } from '#shared/storage/platforms/platform-sessions.ts';
import type { ParkedHook, PlatformRoom } from '#shared/use-cases/platforms/ports.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import { capacityMeter } from '../../support/storage/capacity-meter.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const TableName = String(endpoints.tables.platformSessions);
const now = new Date('2026-03-02T12:00:00.000Z');
const store = platformSessions(documents, TableName, { now: () => now, hookDays: 7 });
const waiting = (key: string, time?: string) => ({ key, time, receivedAt: now.toISOString() });

const at = (time: string) => `2026-03-02T${time}:00.000Z`;
const roomOf = (more: Partial<PlatformRoom> = {}): PlatformRoom => ({
  organizationId: OrganizationId.parse(organization()),
  ...{ connectionId: 'c'.repeat(43), roomName: '/daily', ...more },
});
const sessionOf = (more: Partial<PlatformSession> = {}): PlatformSession => ({
  ...{ roomName: '/daily', sessionId: 'one', startedAt: at('09:00'), endedAt: null, ...more },
});

async function parkedIn(room: PlatformRoom): Promise<ParkedHook[]> {
  const found: ParkedHook[] = [];
  for await (const page of store.parked(room)) found.push(...page);
  return found;
}

async function rowsOf({ organizationId }: PlatformRoom): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'organizationId = :organizationId',
      ExpressionAttributeValues: { ':organizationId': organizationId },
    }),
  );
  return Items;
}

test('remembers the earliest start and the latest end of several reports, in any order', async () => {
  const reports = [
    sessionOf({ startedAt: at('09:10') }),
    sessionOf({ startedAt: at('09:00'), endedAt: at('09:40') }),
    sessionOf({ startedAt: at('09:05'), endedAt: at('09:50') }),
  ];
  for (const order of [reports, reports.toReversed()]) {
    const room = roomOf();
    for (const report of order) await store.remember(room, report);
    expect(await store.sessionsOf(room)).toEqual([sessionOf({ startedAt: at('09:00'), endedAt: at('09:50') })]);
  }
});

test('gives a change until it is settled, also to a repeated report, and none after', async () => {
  const room = roomOf();
  const first = await store.remember(room, sessionOf());
  expect(first).toEqual({ id: expect.any(String), session: sessionOf() });
  expect(await store.remember(room, sessionOf())).toEqual(first);
  const end = sessionOf({ endedAt: at('09:30') });
  const ended = await store.remember(room, { ...end, startedAt: at('09:10') });
  expect(ended).toEqual({ id: expect.any(String), session: end });
  expect(ended?.id).not.toBe(first?.id);
  await store.settle(room, sessionOf(), String(first?.id));
  expect(await store.remember(room, sessionOf()), 'an older change settles nothing').toEqual(ended);
  await store.settle(room, sessionOf(), String(ended?.id));
  expect(await store.remember(room, sessionOf())).toBeUndefined();
  await store.settle(room, sessionOf(), String(ended?.id));
});

test('only a start or an end is a change, and another report keeps a change that is not settled', async () => {
  const room = roomOf();
  const counted = sessionOf({ lastCount: { at: at('09:20'), clients: 2 }, participants: { c1: 'ada' } });
  const first = await store.remember(room, sessionOf());
  expect((await store.remember(room, counted))?.id, 'it is not settled').toBe(first?.id);
  await store.settle(room, sessionOf(), String(first?.id));
  expect(await store.remember(room, sessionOf({ lastCount: { at: at('09:30'), clients: 0 } }))).toBeUndefined();
  expect(await store.remember(room, sessionOf({ participants: { c2: 'bob' } }))).toBeUndefined();
  expect(await store.remember(room, sessionOf({ lastCount: { at: at('09:10'), clients: 1 } }))).toBeUndefined();
  const participants = { c1: 'ada', c2: 'bob' };
  expect(await store.sessionsOf(room)).toEqual([
    sessionOf({ lastCount: { at: at('09:30'), clients: 0 }, participants }),
  ]);
});

test('adds up reports that come at once, and keeps a bounded number of participants', async () => {
  const room = roomOf();
  const minute = (index: number) => at(`09:${String(index).padStart(2, '0')}`);
  const reports = Array.from({ length: 6 }, (_, index) =>
    sessionOf({ startedAt: minute(index), endedAt: minute(30 + index), participants: { [`c${index}`]: `p${index}` } }),
  );
  await Promise.all(reports.map((report) => store.remember(room, report)));
  const [session, ...others] = await store.sessionsOf(room);
  expect(others).toEqual([]);
  expect(session).toMatchObject({ startedAt: minute(0), endedAt: minute(35) });
  expect(Object.keys(session?.participants ?? {}).toSorted()).toEqual(['c0', 'c1', 'c2', 'c3', 'c4', 'c5']);

  const crowd = Array.from({ length: maxRememberedParticipants + 5 }, (_, index) => [`d${index}`, 'p'] as const);
  await store.remember(room, sessionOf({ participants: Object.fromEntries(crowd) }));
  const [full] = await store.sessionsOf(room);
  expect(Object.keys(full?.participants ?? {})).toHaveLength(maxRememberedParticipants);
});

test('reads the last sessions that had started by a time, and never more than a few', async () => {
  const room = roomOf();
  const startOf = (index: number) => new Date(Date.parse(at('00:00')) + index * 60_000).toISOString();
  const named = (index: number) => sessionOf({ sessionId: `s${index}`, startedAt: startOf(index) });
  for (let index = 0; index < 60; index++) await store.remember(room, named(index));
  await store.remember(roomOf({ ...room, roomName: '/other' }), sessionOf({ sessionId: 'of another room' }));
  await store.remember(roomOf({ ...room, connectionId: 'd'.repeat(43) }), sessionOf({ sessionId: 'of another' }));

  const last = await store.sessionsOf(room);
  expect(last.map(({ sessionId }) => sessionId)).toEqual(Array.from({ length: 20 }, (_, index) => `s${index + 40}`));
  const earlier = await store.sessionsOf(room, startOf(30));
  expect(earlier.at(-1)).toEqual(named(30));
  expect(earlier).toHaveLength(20);
  expect(await store.sessionsOf(room, new Date(Date.parse(startOf(0)) - 1).toISOString())).toEqual([]);
  expect(await store.sessionsOf(roomOf({ ...room, roomName: '/another' }))).toEqual([]);

  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const meter = capacityMeter({ region: endpoints.region, credentials, endpoint: endpoints.dynamodbUrl });
  const metered = platformSessions(meter.documents, TableName, { hookDays: 7 });
  const { reads, calls } = await meter.measure(() => metered.sessionsOf(room, startOf(30)));
  expect({ reads, calls }, 'the starts in one page, and twenty sessions').toEqual({ reads: 22, calls: 2 });
});

test('finds a session by its earlier start when that is learnt later', async () => {
  const room = roomOf();
  await store.remember(room, sessionOf({ startedAt: at('09:10') }));
  expect(await store.sessionsOf(room, at('09:05'))).toEqual([]);
  await store.remember(room, sessionOf({ startedAt: at('09:00') }));
  expect(await store.sessionsOf(room, at('09:05'))).toEqual([sessionOf()]);
  expect(await store.sessionsOf(room, at('09:20')), 'it is read once').toEqual([sessionOf()]);
});

test('lets a webhook wait once, and ends no later wait of it', async () => {
  const room = roomOf();
  const first = await store.park(room, waiting('hooks/one'));
  const second = await store.park(room, waiting('hooks/one'));
  expect(await parkedIn(room)).toEqual([{ key: 'hooks/one', mark: second.mark }]);
  await store.unpark(room, [first]);
  expect(await parkedIn(room)).toHaveLength(1);
  await store.unpark(room, [second]);
  await store.unpark(room, [second]);
  expect(await parkedIn(room)).toEqual([]);
});

test('gives the waiting webhooks of one room, page by page', async () => {
  const room = roomOf();
  await store.park(roomOf({ ...room, roomName: '/other' }), waiting('hooks/other'));
  const keys = Array.from({ length: 130 }, (_, index) => `hooks/${index}`);
  await Promise.all(keys.map((key) => store.park(room, waiting(key))));
  let pages = 0;
  const found = new Set<string>();
  for await (const page of store.parked(room)) {
    pages++;
    for (const { key } of page) found.add(key);
    await store.unpark(room, page);
  }
  expect(pages).toBe(2);
  expect(found).toEqual(new Set(keys));
  expect(await parkedIn(room)).toEqual([]);
});

test('a wait is as old as its first call, until it ends', async () => {
  const room = roomOf();
  let minute = 0;
  const clock = () => new Date(now.getTime() + minute++ * 60_000);
  const ticking = platformSessions(documents, TableName, { now: clock, hookDays: 7 });
  const first = await ticking.park(room, waiting('hooks/one', at('09:00')));
  const second = await ticking.park(room, waiting('hooks/one', at('09:00')));
  expect([first.since, second.since]).toEqual([now.toISOString(), now.toISOString()]);
  expect(await parkedIn(room)).toEqual([{ key: 'hooks/one', mark: second.mark, time: at('09:00') }]);
  await ticking.unpark(room, [second]);
  expect((await ticking.park(room, waiting('hooks/one'))).since).toBe('2026-03-02T12:02:00.000Z');
});

test('sessions expire after 30 days, and a webhook that waits expires with its body', async () => {
  const room = roomOf();
  await store.remember(room, sessionOf());
  await store.park(room, { key: 'hooks/one', receivedAt: '2026-03-01T12:00:00.000Z' });
  const rows = await rowsOf(room);
  expect(rows).toHaveLength(3); // the wait, the session and its start
  const expiries = rows.map(({ expiresAt }) => new Date(Number(expiresAt) * 1000).toISOString().slice(0, 10));
  expect(expiries.toSorted()).toEqual(['2026-03-08', '2026-04-01', '2026-04-01']);
});
