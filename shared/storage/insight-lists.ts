import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ListParticipants, ListRoomInsights, ListRoomSessionInsights } from '../contracts/insights.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { RoomRecord, SessionRecord } from '../domain/insight-records.ts';
import type { ParticipantRecord } from '../domain/participant-record.ts';
import { attributeNames, sortIndexName } from '../names.ts';
import { batchGet } from './batch-get.ts';
import { decodeCursor } from './cursor.ts';
import { type Page, readPage } from './index-page.ts';
import {
  organizationExternalId,
  organizationSession,
  organizationSessionExternalId,
  sessionKey,
} from './insight-keys.ts';
import { toParticipantRecord, toRoomRecord, toSessionRecord } from './insight-rows.ts';
import { organizationRoom } from './keys.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;
type Lister<Query, Element> = (organizationId: OrganizationId, query: Query) => Promise<Page<Element>>;

/** Lists an organization's rooms, a page at a time. */
export type RoomLister = Lister<ListRoomInsights, RoomRecord>;
/** Lists one room's sessions, a page at a time. */
export type RoomSessionLister = Lister<ListRoomSessionInsights, SessionRecord>;
/** Lists the people of a session, of an external id or of both, a page at a time. */
export type ParticipantLister = Lister<ListParticipants, ParticipantRecord>;

/** The rooms of an organization. */
export function roomLister(documents: Documents, tableName: string): RoomLister {
  return async (organizationId, { sortBy, ...paging }) => {
    const { results, cursor } = await readPage(documents, {
      name: ['rooms', sortBy.field, sortBy.direction],
      tableName,
      index: sortIndexName(sortBy.field),
      partition: [attributeNames.organizationId, organizationId],
      tableKey: [attributeNames.organizationId, attributeNames.roomName],
      ...sortBy,
      ...paging,
    });
    return { results: results.map(toRoomRecord), cursor };
  };
}

/** The sessions of a room; where one of them is asked for by its id, it is read by its key. */
export function roomSessionLister(documents: Documents, tableName: string): RoomSessionLister {
  return async (organizationId, { roomName, roomSessionId, sortBy, ...paging }) => {
    const name = ['room-sessions', roomName, roomSessionId ?? null, sortBy.field, sortBy.direction];
    if (roomSessionId !== undefined) {
      const isBeyondIt = paging.cursor !== undefined && decodeCursor(name, paging.cursor) !== undefined;
      const keys = isBeyondIt ? [] : [sessionKey({ organizationId, roomName, roomSessionId })];
      return { results: (await batchGet(documents, { tableName, keys })).map(toSessionRecord), cursor: null };
    }
    const { results, cursor } = await readPage(documents, {
      name,
      tableName,
      index: sortIndexName(sortBy.field),
      partition: [attributeNames.organizationRoom, organizationRoom(organizationId, roomName)],
      tableKey: [attributeNames.organizationRoom, attributeNames.roomSessionId],
      ...sortBy,
      ...paging,
    });
    return { results: results.map(toSessionRecord), cursor };
  };
}

/** The people of a session, of an external id, or of both. */
export function participantLister(documents: Documents, tableName: string): ParticipantLister {
  return async (organizationId, { roomSessionId, externalId, sortBy, ...paging }) => {
    const partition = participantPartition(organizationId, { roomSessionId, externalId });
    const { results, cursor } = await readPage(documents, {
      name: ['participants', roomSessionId ?? null, externalId ?? null, sortBy.field, sortBy.direction],
      tableName,
      index: sortIndexName(sortBy.field, partition[0]),
      partition,
      tableKey: [attributeNames.organizationSession, attributeNames.participantKey],
      ...sortBy,
      ...paging,
    });
    return { results: results.map(toParticipantRecord), cursor };
  };
}

function participantPartition(
  organizationId: OrganizationId,
  { roomSessionId, externalId }: Pick<ListParticipants, 'roomSessionId' | 'externalId'>,
): readonly [name: string, value: string] {
  if (roomSessionId === undefined) {
    return [attributeNames.organizationExternalId, organizationExternalId(organizationId, externalId ?? '')];
  }
  const session = { organizationId, roomSessionId };
  return externalId === undefined
    ? [attributeNames.organizationSession, organizationSession(session)]
    : [attributeNames.organizationSessionExternalId, organizationSessionExternalId(session, externalId)];
}
