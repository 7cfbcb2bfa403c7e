import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { partsOfUsageKey } from '#shared/storage/common/keys.ts';
import { toSessionRecord } from '#shared/storage/insights/rows.ts';
import { dynamodb } from '../../../support/machine.ts';
import { storedNotices } from '../../../support/webhooks/stored-notices.ts';
import type { World } from '../world.ts';

type Row = Readonly<Record<string, unknown>>;
type Counts = {
  sessions: number;
  participantMinutes: number;
  recorderMinutes: number;
  streamerMinutes: number;
  transcriptions: number;
};
/** What one day of a room must say. Of a work in parts, and of a deleted transcription, the seconds are known only roughly. */
type Expected = Counts & { leastSeconds: number; mostSeconds: number };

const client = DynamoDBDocumentClient.from(dynamodb);
const nothing = { sessions: 0, participantMinutes: 0, recorderMinutes: 0, streamerMinutes: 0, transcriptions: 0 };

/**
 * Checks that the usage of each day is the sum over the sessions whose ends were told and over the transcriptions that became ready. What was
 * told is the judge: the last end that was told of a session, and each `transcription.finished`.
 */
export async function expectUsage(world: World): Promise<void> {
  const { tables } = world.resources;
  const expected = new Map<string, Expected>();
  const at = (organizationId: string, day: string, roomName: string): Expected => {
    const key = `${organizationId} ${day} ${roomName}`;
    const counts = expected.get(key) ?? { ...nothing, leastSeconds: 0, mostSeconds: 0 };
    expected.set(key, counts);
    return counts;
  };
  const notices = await storedNotices(tables.notices);
  const takenBack = await sessionsTakenBack(tables.roomSessions);
  for (const [session, { organizationId, data }] of lastEnds(notices)) {
    if (takenBack.has(session)) continue;
    const counts = at(organizationId, data.startedAt.slice(0, 10), data.roomName);
    counts.sessions += 1;
    counts.participantMinutes += data.totalParticipantMinutes;
    counts.recorderMinutes += data.totalRecorderMinutes;
    counts.streamerMinutes += data.totalStreamerMinutes;
  }
  const rows = new Map((await world.states.rows()).map((row) => [`${row.organizationId} ${row.transcriptionId}`, row]));
  for (const { organizationId, type, createdAt, data } of notices) {
    if (type !== 'transcription.finished') continue;
    const counts = at(organizationId, createdAt.slice(0, 10), data.roomName);
    const isLive = data.type === 'LIVE_TRANSCRIPTION';
    const [least, most] = isLive ? [0, 0] : secondsOf(rows.get(`${organizationId} ${data.transcriptionId}`));
    counts.transcriptions += 1;
    counts.leastSeconds += least;
    counts.mostSeconds += most;
  }
  const stored = await storedUsage(tables.usageDays);
  const ofKeys = Object.fromEntries(
    [...expected].map(([key, { leastSeconds: _, mostSeconds: __, ...counts }]) => [key, counts]),
  );
  const counted = [...stored].map(([key, { transcribedSeconds: _, ...counts }]) => [key, counts] as const);
  const known = counted.filter(
    ([key, counts]) => expected.has(key) || Object.values(counts).some((count) => count !== 0),
  );
  expect(Object.fromEntries(known), 'usage is the sum over what was told').toEqual(ofKeys);
  for (const [key, { leastSeconds, mostSeconds }] of expected) {
    const seconds = stored.get(key)?.transcribedSeconds ?? 0;
    expect(seconds, `${key}: the transcribed seconds`).toBeGreaterThanOrEqual(leastSeconds);
    expect(seconds, `${key}: the transcribed seconds`).toBeLessThanOrEqual(mostSeconds);
  }
}

type EndNotice = Extract<OrganizationNotice, { readonly type: 'room.session.ended' }>;

/** The last end that was told of each session. It counts until another end is told, also if the session was told to have started again. */
function lastEnds(notices: readonly OrganizationNotice[]): Map<string, EndNotice> {
  const ends = notices.filter((notice): notice is EndNotice => notice.type === 'room.session.ended');
  const sorted = ends.toSorted((one, other) => one.data.revision - other.data.revision);
  return new Map(
    sorted.map((end) => [`${end.organizationId} ${end.data.roomSessionId} ${end.data.roomName}`, end] as const),
  );
}

/** The sessions all of whose events were taken back, once that has settled. */
async function sessionsTakenBack(TableName: string): Promise<Set<string>> {
  const sessions = (await scan(TableName)).map(toSessionRecord);
  const hidden = sessions.filter(({ startedAt, settling }) => startedAt === null && settling === undefined);
  return new Set(
    hidden.map(({ organizationId, roomSessionId, roomName }) => `${organizationId} ${roomSessionId} ${roomName}`),
  );
}

/** The seconds that Transcribe bills for a transcription, by what its row says. */
function secondsOf(row: Row | undefined): readonly [least: number, most: number] {
  if (row === undefined || row.deletedAt !== undefined) return [0, Number.POSITIVE_INFINITY];
  const ofDates = (Date.parse(String(row.endDate)) - Date.parse(String(row.startDate))) / 1000;
  const submitted = Number(row.submittedSeconds ?? row.recordedSeconds ?? ofDates);
  const parts = Number(row.partCount ?? 0);
  if (parts > 0) return [row.missing === undefined ? submitted : 0, submitted + 15 * parts];
  const seconds = Math.max(15, Math.ceil(submitted));
  return [seconds, seconds];
}

async function storedUsage(TableName: string): Promise<Map<string, Counts & { transcribedSeconds: number }>> {
  const rows = (await scan(TableName)).map(({ organizationId, usageKey, ...counts }) => {
    const { day, roomName } = partsOfUsageKey(String(usageKey));
    return [`${organizationId} ${day} ${roomName}`, { ...nothing, transcribedSeconds: 0, ...counts }] as const;
  });
  return new Map(rows);
}

async function scan(TableName: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) rows.push(...Items);
  return rows;
}
