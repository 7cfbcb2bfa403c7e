import type { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { RoomRecord } from '../../domain/insight-records.ts';
import type { SessionKey } from '../../domain/participant-record.ts';
import type { MovedMark, SessionChange } from '../../domain/session-change.ts';
import { participantKey, roomVisitorKey, sessionStartKey, sessionVisitorKey } from './keys.ts';
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
  const { session, room, participants, goneParticipants, sessionVisitors, goneVisitors, roomMarks, movedStart } =
    change;
  const put = (TableName: string, Item: Record<string, unknown>): Write => ({ Put: { TableName, Item } });
  const remove = (TableName: string, Key: Record<string, unknown>): Write => ({ Delete: { TableName, Key } });
  return [
    putUnderVersion(tables.roomSessions, session, toSessionRow(session)),
    ...(room ? [writeOfRoom(room, tables)] : []),
    ...participants.map((record) => put(tables.participants, toParticipantRow(session, record))),
    ...sessionVisitors.map(({ participantId, ...visitor }) =>
      put(tables.insightFacts, { ...sessionVisitorKey(session, visitor), participantId }),
    ),
    ...goneParticipants.map((id) => remove(tables.participants, participantKey(session, id))),
    ...goneVisitors.map((visitor) => remove(tables.insightFacts, sessionVisitorKey(session, visitor))),
    ...roomMarks.map((mark) => writeOfMark(session, mark, tables)),
    ...(movedStart ? writesOfStart(session, movedStart, tables) : []),
  ];
}

/** The write of a room. It requires the version that was read. */
export function writeOfRoom(room: RoomRecord, tables: Pick<Tables, 'rooms'>): Write {
  return putUnderVersion(tables.rooms, room, toRoomRow(room));
}

/** Writes how many sessions have counted a visitor. It requires the number that was read, because no version protects it. */
function writeOfMark(
  session: SessionKey,
  { visitor, from, to }: MovedMark,
  { insightFacts: TableName }: Tables,
): Write {
  const Key = roomVisitorKey(session, visitor);
  const condition =
    from === 0
      ? { ConditionExpression: 'attribute_not_exists(factKey)' }
      : { ConditionExpression: 'sessions = :from', ExpressionAttributeValues: { ':from': from } };
  if (to === 0) return { Delete: { TableName, Key, ...condition } };
  return { Put: { TableName, Item: { ...Key, sessions: to }, ...condition } };
}

function writesOfStart(
  session: SessionChange['session'],
  { from, to }: NonNullable<SessionChange['movedStart']>,
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
