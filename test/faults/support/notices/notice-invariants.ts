import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { toSessionRecord } from '#shared/storage/insights/rows.ts';
import { dynamodb } from '../../../support/machine.ts';
import { storedNotices } from '../../../support/webhooks/stored-notices.ts';
import type { SeenState } from '../state-observer.ts';
import type { World } from '../world.ts';

type Row = Readonly<Record<string, unknown>>;

const client = DynamoDBDocumentClient.from(dynamodb);

/** What a transcription can have gone through, one letter for each notice, and what it is then. Written by hand. */
const lives = /^S?G?(RC*|F)?D?$/;

/**
 * Checks that each transition of a transcription, a recording, a session or a webhook, and each refused event of a recording, has its notice,
 * with the revision that follows, and that no notice is there without its transition.
 */
export async function expectNotices(world: World): Promise<void> {
  const { tables } = world.resources;
  const notices = await storedNotices(tables.notices);
  const ids = notices.map(({ id }) => id);
  expect(ids, 'each notice is stored once').toEqual([...new Set(ids)]);
  const ofSubjects = Map.groupBy(notices, subjectOf);
  const transcriptions = await world.states.rows();
  const recordings = (await rowsOf(tables.recordings)).filter(({ recordingId }) => recordingId !== 'option-defaults');
  for (const row of transcriptions) {
    const key = `${row.organizationId} ${row.transcriptionId}`;
    expectLife(key, row, sorted(ofSubjects.get(key)), world.states.seen(row));
    ofSubjects.delete(key);
  }
  for (const row of recordings) {
    const key = `${row.organizationId} ${row.recordingId}`;
    expectReports(key, row, sorted(ofSubjects.get(key)));
    ofSubjects.delete(key);
  }
  for (const row of await rowsOf(tables.roomSessions)) {
    const { organizationId, roomName, roomSessionId } = toSessionRecord(row);
    const key = `${organizationId} ${roomSessionId} ${roomName}`;
    expectSession(key, row, sorted(ofSubjects.get(key)));
    ofSubjects.delete(key);
  }
  for (const { organizationId, webhookId, noticeRevision } of await rowsOf(tables.webhooks)) {
    const key = `${organizationId} ${webhookId}`;
    const ofWebhook = revisionsOf(sorted(ofSubjects.get(key)));
    expect(ofWebhook, `${key}: each time it was disabled has its notice`).toEqual(countedTo(noticeRevision));
  }
  expectRefusals(await rowsOf(tables.refusedEvents), ofSubjects.get(ofRefusals));
  const others = [...ofSubjects].filter(([key, [first]]) => key !== ofRefusals && first?.type !== 'webhook.disabled');
  expect(
    others.map(([key]) => key),
    'no notice is there without its transition',
  ).toEqual([]);
}

const ofRefusals = 'refused events';

function subjectOf({ organizationId, type, data }: OrganizationNotice): string {
  if (type === 'recording.refused') return ofRefusals;
  if ('transcriptionId' in data) return `${organizationId} ${data.transcriptionId}`;
  if ('webhookId' in data) return `${organizationId} ${data.webhookId}`;
  if ('recordingId' in data) return `${organizationId} ${data.recordingId}`;
  return `${organizationId} ${data.roomSessionId} ${data.roomName}`;
}

function sorted(notices: readonly OrganizationNotice[] = []): OrganizationNotice[] {
  return notices.toSorted((one, other) => one.data.revision - other.data.revision);
}

/** Checks the notices of a transcription: as many as it has had transitions, in an order that can be, to what is stored now. */
function expectLife(key: string, row: Row, notices: readonly OrganizationNotice[], seen: readonly SeenState[]): void {
  expect(revisionsOf(notices), `${key}: each transition has its notice`).toEqual(countedTo(row.revision));
  const life = notices.map(letterOf).join('');
  expect(life, `${key}: the notices are in an order that can be`).toMatch(lives);
  const last = life.replace(/C+$/, '').at(-1);
  expect(last, `${key}: the last notice says what is stored`).toBe(letterOfState[stateIn(row)]);
  const wasSeen = seen.map((state) => letterOfState[state]).join('');
  expect(withGaps(wasSeen).test(life), `${key}: ${life} has a notice of each state in ${wasSeen}`).toBe(true);
  const { roomName, roomSessionId, failure, durationInSeconds } = row;
  const data = notices.findLast(({ type }) => type !== 'transcription.speakers.changed')?.data ?? {};
  if (row.deletedAt === undefined) expect(data, key).toMatchObject({ roomName, roomSessionId, state: row.state });
  if (row.state === 'failed') expect(data).toMatchObject({ failureCode: (failure as { code: string }).code });
  if (row.state === 'ready') expect(data).toMatchObject({ durationInSeconds });
}

const letterOfState: Readonly<Record<SeenState, string>> = {
  in_progress: 'S',
  given_up: 'G',
  ready: 'R',
  failed: 'F',
  deleted: 'D',
};

function stateIn({ deletedAt, state, failure }: Row): SeenState {
  if (deletedAt !== undefined) return 'deleted';
  return (failure as { code?: string } | undefined)?.code === 'end_not_reported' ? 'given_up' : (state as SeenState);
}

function letterOf({ type, data }: OrganizationNotice): string {
  if (type === 'transcription.failed') return data.failureCode === 'end_not_reported' ? 'G' : 'F';
  const letters: Readonly<Record<string, string>> = {
    'transcription.started': 'S',
    'transcription.finished': 'R',
    'transcription.speakers.changed': 'C',
    'transcription.deleted': 'D',
  };
  return letters[type] ?? '?';
}

/** Matches what contains these letters in this order. */
function withGaps(letters: string): RegExp {
  return new RegExp([...letters].join('.*'));
}

/** Checks the notices of a recording: none before it is shown, and the last one says what is stored. */
function expectReports(key: string, row: Row, notices: readonly OrganizationNotice[]): void {
  expect(revisionsOf(notices), `${key}: each report has its notice`).toEqual(countedTo(row.revision));
  if (row.roomName === undefined) {
    expect(notices, `${key} is not shown yet`).toEqual([]);
    return;
  }
  const { roomName, roomSessionId, startDate = null, endDate = null } = row;
  const state = row.finishedAt === undefined ? 'open' : 'finished';
  const told = notices.at(-1)?.data;
  expect(told, key).toMatchObject({ roomName, roomSessionId, state, startDate, endDate });
  const open = notices.slice(1).filter(({ data }) => 'state' in data && data.state === 'open');
  expect(open, `${key}: only the first report can be of an open recording`).toEqual([]);
}

/** Checks the notices of a session: none before it is shown, and the last one says whether it has ended, unless that waits to be told. */
function expectSession(key: string, row: Row, notices: readonly OrganizationNotice[]): void {
  const { startedAt, endedAt, told, settling } = toSessionRecord(row);
  expect(revisionsOf(notices), `${key}: each change that was told has its notice`).toEqual(countedTo(told?.revision));
  if (startedAt === null) return; // all of its events were taken back
  expect(notices.length, `${key} is shown, so its start was told`).toBeGreaterThan(0);
  expect(notices[0]?.type, key).toBe('room.session.started');
  if (settling !== undefined) return;
  expect(notices.at(-1)?.type, key).toBe(endedAt === null ? 'room.session.started' : 'room.session.ended');
  if (endedAt !== null) expect(notices.at(-1)?.data, key).toMatchObject({ startedAt, endedAt });
}

/** Checks that each listed event of a recording has its notice, and that there are no others. */
function expectRefusals(rows: readonly Row[], notices: readonly OrganizationNotice[] = []): void {
  const idsOf = ({ recordingId = null, roomSessionId = null, eventId = null }: Row) =>
    JSON.stringify([recordingId, roomSessionId, eventId]);
  const listed = rows.filter(({ type }) => /^recording\.(track\.)?finished$/.test(String(type)));
  const refused = listed.map((row) => `${row.organizationId} ${idsOf(row)}`);
  const told = notices.map(({ organizationId, data }) => `${organizationId} ${idsOf(data as Row)}`);
  expect(told.sort(), 'each refused event of a recording has its notice').toEqual(refused.sort());
}

function revisionsOf(notices: readonly OrganizationNotice[]): number[] {
  return notices.map(({ data }) => data.revision);
}

function countedTo(last: unknown = 0): number[] {
  return Array.from({ length: Number(last) }, (_, index) => index + 1);
}

async function rowsOf(TableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) rows.push(...Items);
  return rows;
}
