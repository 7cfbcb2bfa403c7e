import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type ListRoomInsights, roomOrder } from '#shared/contracts/insights/insight-operations.ts';
import { mayBeMissing, RoomInsight } from '#shared/contracts/insights/insights.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { createdAtOf, isRoomShown, type RoomRecord } from '#shared/domain/insights/insight-records.ts';
import { isIncluded, type RoomFilters } from '#shared/domain/insights/room-filters.ts';
import { attributeNames, sortAttributeName } from '#shared/runtime/names.ts';
import { batchGet } from '../common/batch-get.ts';
import { foreignCursor } from '../common/cursor.ts';
import { type KeyRange, partsOfOrganizationRoom } from '../common/keys.ts';
import type { Item } from '../common/sorted-query.ts';
import { readPage } from './index-page.ts';
import { organizationShards, roomKey } from './keys.ts';
import { type Lister, orderOf } from './lists.ts';
import { toRoomRecord } from './rows.ts';
import { namesBeginningWith, sortedTime, sortedTimes } from './sort-attributes.ts';

/** Lists an organization's rooms, one page per call. */
export type RoomLister = Lister<ListRoomInsights, RoomRecord>;

/** The rooms of an organization, from all of its shards. A room with an exact name is read by its key. */
export function roomLister(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): RoomLister {
  return async (organizationId, query) => {
    const { sortBy: _, cursor, limit, ...filters } = query;
    const roomsOf = (items: readonly Item[]) =>
      items
        .map(toRoomRecord)
        .filter((room) => isRoomShown(room) && isIncluded(filters, { ...room, createdAt: createdAtOf(room) }));
    if (filters.roomNameExact !== undefined) {
      if (cursor !== undefined) throw foreignCursor(); // a list of one has no second page
      const keys = [roomKey({ organizationId, roomName: filters.roomNameExact })];
      return { results: roomsOf(await batchGet(documents, { tableName, keys })), cursor: null };
    }
    const page = await readPage(documents, { ...listOf(organizationId, query, filters), tableName, cursor, limit });
    return { ...page, results: roomsOf(page.results) };
  };
}

/** The index entries of a list of rooms. A key range serves a filter by the field of the order, and `includes` every filter. */
function listOf(organizationId: OrganizationId, query: ListRoomInsights, filters: RoomFilters) {
  const { field, direction } = roomOrder(query);
  return {
    name: ['rooms', field, direction, ...Object.entries(filters)],
    ...orderOf(field, mayBeMissing(RoomInsight, field)),
    partition: [attributeNames.organizationShard, ...organizationShards(organizationId)] as const,
    tableKey: [attributeNames.organizationRoom],
    range: rangeOf(field, filters),
    includes: (entry: Item) => isIncluded(filters, roomOfEntry(entry)),
    direction,
  };
}

function rangeOf(field: string, { roomNamePrefix, createdAtFrom, createdAtTo }: RoomFilters): KeyRange | undefined {
  if (field === 'createdAt') return sortedTimes(createdAtFrom, createdAtTo);
  return field === 'roomName' && roomNamePrefix !== undefined ? namesBeginningWith(roomNamePrefix) : undefined;
}

/** Every index of rooms has the name and the time of creation, so that filters need no rows. */
function roomOfEntry(entry: Item) {
  const [, roomName] = partsOfOrganizationRoom(String(entry[attributeNames.organizationRoom]));
  return { roomName, createdAt: sortedTime(String(entry[sortAttributeName('createdAt')])) };
}
