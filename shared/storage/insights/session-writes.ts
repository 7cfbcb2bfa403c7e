import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { RoomRecord } from '../../domain/insight-records.ts';
import type { SessionChange } from '../../domain/session-change.ts';
import { roomVisitorKey, sessionStartKey, sessionVisitorKey } from './keys.ts';
import { toParticipantRow, toRoomRow, toSessionRow } from './rows.ts';

/** The tables of insights. */
export type Tables = {
  readonly rooms: string;
  readonly roomSessions: string;
  readonly participants: string;
  readonly insightFacts: string;
};

/** One write of a transaction. */
export type Write = NonNullable<TransactWriteCommand['input']['TransactItems']>[number];

/** The writes of a change. They require the versions of session and room that it was computed from. The session's write is the first. */
export function writesOf(change: SessionChange, tables: Tables): Write[] {
  const { session, room, participants, sessionVisitors, roomVisitors, movedStart } = change;
  const put = (TableName: string, Item: Record<string, unknown>): Write => ({ Put: { TableName, Item } });
  return [
    putUnderVersion(tables.roomSessions, session, toSessionRow(session)),
    ...(room ? [writeOfRoom(room, tables)] : []),
    ...participants.map((record) => put(tables.participants, toParticipantRow(session, record))),
    ...sessionVisitors.map(({ participantId, ...visitor }) =>
      put(tables.insightFacts, { ...sessionVisitorKey(session, visitor), participantId }),
    ),
    ...roomVisitors.map((visitor) => put(tables.insightFacts, roomVisitorKey(session, visitor))),
    ...(movedStart ? writesOfStart(session, movedStart, tables) : []),
  ];
}

/** The write of a room. It requires the version that was read. */
export function writeOfRoom(room: RoomRecord, tables: Pick<Tables, 'rooms'>): Write {
  return putUnderVersion(tables.rooms, room, toRoomRow(room));
}

function writesOfStart(
  session: SessionChange['session'],
  { from, to }: NonNullable<SessionChange['movedStart']>,
  { insightFacts: TableName }: Tables,
): Write[] {
  const Item = { ...sessionStartKey(session, to), startedAt: to, roomSessionId: session.roomSessionId };
  return [
    ...(from === null ? [] : [{ Delete: { TableName, Key: sessionStartKey(session, from) } }]),
    { Put: { TableName, Item } },
  ];
}

/** A put that requires the version that was read, or that there is no item yet. */
function putUnderVersion(TableName: string, { version }: { readonly version: number }, Item: object): Write {
  return {
    Put: {
      TableName,
      Item: { ...Item, version: version + 1 },
      ConditionExpression: version === 0 ? 'attribute_not_exists(version)' : 'version = :version',
      ...(version > 0 && { ExpressionAttributeValues: { ':version': version } }),
    },
  };
}
