import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ListParticipants, ListRoomSessionInsights } from '#shared/contracts/insights/insight-operations.ts';
import { mayBeMissing, RoomSessionInsight, SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  isRoomShown,
  type RoomKey,
  type SessionRecord,
  toRoomSessionInsight,
} from '#shared/domain/insights/insight-records.ts';
import { attributeNames, sortAttributeName, sortIndexName } from '#shared/runtime/names.ts';
import { batchGet } from '../common/batch-get.ts';
import { foreignCursor } from '../common/cursor.ts';
import { organizationRoom } from '../common/keys.ts';
import type { Item, Page } from '../common/sorted-query.ts';
import { readPage } from './index-page.ts';
import { organizationExternalId, organizationSessionExternalId, roomKey, sessionKey } from './keys.ts';
import { participantOfItem } from './participant-items.ts';
import { readParticipants } from './participant-lists.ts';
import { toRoomRecord, toSessionRecord } from './rows.ts';
import { sortedTimes } from './sort-attributes.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;
/** Lists elements of an organization, one page per call. */
export type Lister<Query, Element> = (organizationId: OrganizationId, query: Query) => Promise<Page<Element>>;

/** Lists one room's sessions, one page per call. */
export type RoomSessionLister = Lister<ListRoomSessionInsights, RoomSessionInsight>;
/** Lists the participants of a session, of an external id, or of both, one page per call. */
export type ParticipantLister = Lister<ListParticipants, SessionParticipant>;

/** The index that sorts a table of insights by a field. */
export const orderOf = (field: string, hasMissing: boolean, partition?: string) => ({
  hasMissing,
  index: sortIndexName(field, partition),
  sortKey: sortAttributeName(field),
});

/** The sessions of a room. A single session is read by its key. */
export function roomSessionLister(
  documents: Documents,
  { rooms, roomSessions: tableName }: { readonly rooms: string; readonly roomSessions: string },
): RoomSessionLister {
  return async (organizationId, { roomName, roomSessionId, sortBy: { field, direction }, cursor, limit, ...range }) => {
    if (roomSessionId !== undefined) {
      if (cursor !== undefined) throw foreignCursor(); // a list of one has no second page
      const keys = [sessionKey({ organizationId, roomName, roomSessionId })];
      const found = shownSessions(await batchGet(documents, { tableName, keys }));
      return { results: await withRoom(documents, rooms, { organizationId, roomName }, found), cursor: null };
    }
    const page = await readPage(documents, {
      name: ['room-sessions', roomName, field, direction, ...Object.entries(range)],
      tableName,
      ...orderOf(field, mayBeMissing(RoomSessionInsight, field)),
      partition: [attributeNames.organizationRoom, organizationRoom(organizationId, roomName)],
      tableKey: [attributeNames.organizationRoom, attributeNames.roomSessionId],
      range: sortedTimes(range.startedAtFrom, range.startedAtTo),
      ...{ direction, cursor, limit },
    });
    const results = await withRoom(documents, rooms, { organizationId, roomName }, shownSessions(page.results));
    return { ...page, results };
  };
}

/** Adds what the row of the room says. A room that is not shown has no sessions any more. */
async function withRoom(
  documents: Documents,
  tableName: string,
  key: RoomKey,
  sessions: readonly SessionRecord[],
): Promise<RoomSessionInsight[]> {
  if (sessions.length === 0) return [];
  // One transaction writes a session and its room. So a consistent read after the session's finds the room.
  const [item] = await batchGet(documents, { tableName, keys: [roomKey(key)], consistent: true });
  const room = item && toRoomRecord(item);
  return room && isRoomShown(room) ? sessions.map((session) => toRoomSessionInsight(session, room)) : [];
}

/** An index can be behind, so a page can contain a session whose events were all taken back. */
function shownSessions(items: readonly Item[]): SessionRecord[] {
  return items.map(toSessionRecord).filter(({ startedAt }) => startedAt !== null);
}

/** The participants of a session, or of an external id in a session or in all of them. */
export function participantLister(documents: Documents, tableName: string): ParticipantLister {
  return async (organizationId, { roomSessionId, externalId, sortBy: { field, direction }, ...paging }) => {
    const name = ['participants', roomSessionId ?? null, externalId ?? null, field, direction];
    const list = { name, tableName, direction, ...paging };
    if (externalId === undefined) {
      const session = { organizationId, roomSessionId: roomSessionId ?? '' }; // the contract requires one of the two
      return readParticipants(documents, { ...list, session, field });
    }
    const partition =
      roomSessionId === undefined
        ? ([attributeNames.organizationExternalId, organizationExternalId(organizationId, externalId)] as const)
        : ([
            attributeNames.organizationSessionExternalId,
            organizationSessionExternalId({ organizationId, roomSessionId }, externalId),
          ] as const);
    const { results, cursor } = await readPage(documents, {
      ...{ ...list, ...orderOf(field, mayBeMissing(SessionParticipant, field), partition[0]), partition },
      tableKey: [attributeNames.organizationSession, attributeNames.listKey],
    });
    return { results: results.map(participantOfItem).filter((listed) => listed !== undefined), cursor };
  };
}
