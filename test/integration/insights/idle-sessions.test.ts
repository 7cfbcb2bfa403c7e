import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createHandler } from '#functions/workers/insights/close-idle-sessions/handler.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type InferredEnd, inferredEnd } from '#shared/domain/insights/session/inferred-end.ts';
import { idleSessions } from '#shared/storage/insights/idle-sessions.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import type { IdleStore } from '#shared/use-cases/insights/ports.ts';
import { insightFunctions } from '../../support/insights/insight-functions.ts';
import { sessionOf } from '../../support/insights/insights.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const tableOf = (name: string) => endpoints.tables[name] ?? '';
const tables = {
  rooms: tableOf('rooms'),
  roomSessions: tableOf('roomSessions'),
  participants: tableOf('participants'),
  insightFacts: tableOf('insightFacts'),
  notices: tableOf('notices'),
  usageDays: tableOf('usageDays'),
};
const idle = idleSessions(documents, tables.roomSessions);
const sessions = sessionRepository(documents, tables.roomSessions);

/** A time of a day in the future, so that no run of the machine's own worker finds the sessions of these tests. */
const at = (time: string) => `2099-03-02T${time}:00.000Z`;

/** A session with an event at 09:10, stored by a stage with these hours. */
async function storedSession(sessionIdleHours: number | undefined) {
  const acme = OrganizationId.parse(organization());
  const session = sessionOf(acme);
  const { record } = insightFunctions(documents, tables, { sessionIdleHours });
  await record(session.started(at('09:00')), session.joined('ana', at('09:10')));
  const key = { organizationId: acme, roomName: '/daily', roomSessionId: session.roomSessionId };
  return { ...{ acme, session, record, key }, find: () => sessions.find(key) };
}

/** Runs the worker at a time, and returns the ends that it sends for an organization. */
async function runAt(time: string, organizationId: string, store: IdleStore = idle): Promise<InferredEnd[]> {
  const sent: InferredEnd[] = [];
  const send = async (end: InferredEnd) => {
    sent.push(end);
  };
  const handler = createHandler({ idle: store, sessions, send, now: () => new Date(at(time)) });
  await handler({}, { getRemainingTimeInMillis: () => 60_000 });
  return sent.filter((end) => end.organizationId === organizationId);
}

test('a session without an event for the hours of the stage is closed once, at its latest event', async () => {
  const { acme, key, find, record } = await storedSession(1);
  expect(await find()).toMatchObject({ idleFrom: at('11:00'), endedAt: null });
  expect(await runAt('10:59', acme)).toEqual([]);

  const ends = await runAt('11:00', acme);
  expect(ends).toEqual([inferredEnd(key, at('09:10'), 'idle')]);
  expect(ends).toMatchObject([{ inferred: true, reason: 'idle', createdAt: at('09:10') }]);
  expect(await runAt('12:00', acme), 'a second run').toEqual([]);

  await record(...ends);
  const closed = await find();
  expect(closed).toMatchObject({ endedAt: at('09:10') });
  expect(closed).not.toHaveProperty('idleFrom');
  expect(await runAt('23:00', acme), 'a run after the end').toEqual([]);
});

test('an end that is not recorded is sent again, after twice the time without an event', async () => {
  const { acme, record, find } = await storedSession(1);
  const [first] = await runAt('11:00', acme);
  expect(await find()).toMatchObject({ endedAt: null, idleFrom: at('13:00') }); // 1:50 h after 11:00, and the next whole hour
  expect(await runAt('12:59', acme)).toEqual([]);
  expect(await runAt('13:00', acme)).toEqual([first]);
  expect(await runAt('16:59', acme)).toEqual([]);
  expect(await runAt('17:00', acme)).toEqual([first]);
  if (first) await record(first);
  expect(await find()).not.toHaveProperty('idleFrom');
  expect(await runAt('23:59', acme)).toEqual([]);
});

test('a run that stops before it postpones a session sends the same end again', async () => {
  const { acme } = await storedSession(1);
  const postpone = () => Promise.reject(new Error('The run stops here.'));
  const [first] = await runAt('11:00', acme, { ...idle, postpone });
  expect(first).toBeDefined();
  expect(await runAt('11:15', acme)).toEqual([first]);
});

test('an event that comes after the index was read keeps the session open', async () => {
  const { acme, session, key, record, find } = await storedSession(1);
  async function* listDue() {
    await record(session.joined('ben', at('10:30')));
    yield key;
  }
  expect(await runAt('11:00', acme, { ...idle, listDue })).toEqual([]);
  expect(await find()).toMatchObject({ endedAt: null, idleFrom: at('12:00') });
  expect(await runAt('11:00', acme)).toEqual([]);
  expect(await runAt('12:00', acme)).toMatchObject([{ createdAt: at('10:30') }]);
});

test('an event that comes before a session is postponed leaves its new hour in place', async () => {
  const { acme, session, record, find } = await storedSession(1);
  const postpone: IdleStore['postpone'] = async (read, idleFrom) => {
    if (read.organizationId === acme) await record(session.joined('ben', at('10:30')));
    await idle.postpone(read, idleFrom);
  };
  expect(await runAt('11:00', acme, { ...idle, postpone })).toHaveLength(1);
  expect(await find()).toMatchObject({ endedAt: null, idleFrom: at('12:00') });
});

test('nothing is due in a stage without the setting', async () => {
  const { acme, find } = await storedSession(undefined);
  expect(await find()).not.toHaveProperty('idleFrom');
  expect(await runAt('23:00', acme)).toEqual([]);
});
