import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { RoomKey, RoomRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import type { VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import type { RoomChange, SessionChange } from '#shared/domain/insights/session/session-change.ts';
import { noticePut } from '../notices/notice-put.ts';
import { sessionStartKey, visitorSegmentKey } from './keys.ts';
import { toRoomRow, toSessionRow } from './rows.ts';
import { type Condition, ifToldIs } from './told.ts';
import { toVisitorItem } from './visitor-segments.ts';

/** The tables of insights, and that of the notices that their changes make. */
export type Tables = {
  readonly rooms: string;
  readonly roomSessions: string;
  readonly participants: string;
  readonly insightFacts: string;
  readonly notices: string;
};

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommand['input']['TransactItems']>[number];

/**
 * The writes of a change. They require the versions of the sessions and rooms that it was computed from. Each session has its own, because
 * a read of several sessions is not atomic.
 */
export function writesOf({ to, rooms }: SessionChange, tables: Tables): Write[] {
  return rooms.flatMap(({ session, room, segments, movedStart, notice, toldBefore }) => [
    putUnderVersion(tables.roomSessions, session, { ...toSessionRow(session), version: to }, ifToldIs(toldBefore)),
    ...(room ? [writeOfRoom(room, tables)] : []),
    ...segments.map((segment) => writeOfSegment(session, segment, tables)),
    ...(movedStart ? writesOfStart(session, movedStart, tables) : []),
    ...(notice ? [noticePut(tables.notices, notice)] : []),
  ]);
}

/** The write of a room. It requires the version that was read. */
export function writeOfRoom(room: RoomRecord, tables: Pick<Tables, 'rooms'>): Write {
  return putUnderVersion(tables.rooms, room, { ...toRoomRow(room), version: room.version + 1 });
}

/** The write of a segment of a room's visitors. It requires the version that was read. */
export function writeOfSegment(
  room: RoomKey,
  segment: VisitorSegment,
  { insightFacts }: Pick<Tables, 'insightFacts'>,
): Write {
  const { version, shard, number } = segment;
  const key = visitorSegmentKey(room, shard, number);
  return putUnderVersion(insightFacts, segment, { ...key, ...toVisitorItem(segment), version: version + 1 });
}

function writesOfStart(
  session: SessionKey,
  { from, to }: NonNullable<RoomChange['movedStart']>,
  { insightFacts: TableName }: Tables,
): Write[] {
  const itemOf = (startedAt: string) => ({
    ...sessionStartKey(session, startedAt),
    startedAt,
    roomSessionId: session.roomSessionId,
  });
  return [
    ...(from === null ? [] : [{ Delete: { TableName, Key: sessionStartKey(session, from) } }]),
    ...(to === null ? [] : [{ Put: { TableName, Item: itemOf(to) } }]),
  ];
}

/** A put that requires the version of what was read and one more condition, or that there is no item yet. */
function putUnderVersion(
  TableName: string,
  { version }: { readonly version: number },
  Item: object,
  more: Condition = { expression: '', values: {} },
): Write {
  if (version === 0)
    return { Put: { TableName, Item: { ...Item }, ConditionExpression: 'attribute_not_exists(version)' } };
  return {
    Put: {
      TableName,
      Item: { ...Item },
      ConditionExpression: ['version = :version', more.expression].filter(Boolean).join(' AND '),
      ExpressionAttributeValues: { ':version': version, ...more.values },
    },
  };
}
