import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ListUsage, UsageDay } from '#shared/contracts/insights/usage-days.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { daysOf, type UsagePeriod } from '#shared/domain/insights/usage-period.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { batchGet } from '../common/batch-get.ts';
import { compareKeys, partsOfUsageKey, usageDayKey, usageDays } from '../common/keys.ts';
import { firstOf, type Item, type Page, positionOf, queryPage, type SortedList } from '../common/sorted-query.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

/** Lists what an organization used in a period, one page per call. */
export type UsageLister = (
  organizationId: OrganizationId,
  query: ListUsage,
  period: UsagePeriod,
) => Promise<Page<UsageDay>>;

/** The days whose rows of a room one call reads: as many as BatchGetItem takes. */
const daysAtOnce = 100;

const Count = z._default(z.number(), 0);
const Row = z.object({
  usageKey: z.string(),
  ...{ sessions: Count, participantMinutes: Count, recorderMinutes: Count, streamerMinutes: Count },
  ...{ transcriptions: Count, transcribedSeconds: Count },
});

/** Lists usage by day and then by room. That of one room is read by the keys of its days. */
export function usageLister(documents: Documents, tableName: string): UsageLister {
  return async (organizationId, { from, to, roomName, cursor, limit }, period) => {
    const list: SortedList = {
      name: ['usage', from ?? null, to ?? null, roomName ?? null],
      tableName,
      partition: [attributeNames.organizationId, organizationId],
      sortKey: attributeNames.usageKey,
      range: usageDays(period.from, period.to),
      direction: 'asc',
      cursor,
      limit,
    };
    const page =
      roomName === undefined
        ? await queryPage(documents, list)
        : firstOf(await itemsOfRoom(documents, list, { organizationId, roomName }, period), list);
    return { ...page, results: page.results.map(toUsageDay) };
  };
}

/** The items of one room after the position of a list: at least one more than the limit, or all of them. */
async function itemsOfRoom(
  documents: Documents,
  list: SortedList,
  room: { readonly organizationId: OrganizationId; readonly roomName: string },
  period: UsagePeriod,
): Promise<Item[]> {
  const position = positionOf(list);
  const keysOfRoom = daysOf(period)
    .map((day) => usageDayKey({ ...room, day }))
    .filter((key) => position === undefined || byKey(key, { [list.sortKey]: position }) > 0);
  const items: Item[] = [];
  for (const keys of chunk(keysOfRoom, daysAtOnce)) {
    if (items.length > list.limit) break;
    items.push(...(await batchGet(documents, { tableName: list.tableName, keys })).toSorted(byKey));
  }
  return items;
}

function byKey(one: Item, other: Item): number {
  return compareKeys(String(one[attributeNames.usageKey]), String(other[attributeNames.usageKey]));
}

function toUsageDay(item: Item): UsageDay {
  const { usageKey, ...counts } = Row.parse(item);
  return { ...partsOfUsageKey(usageKey), ...counts };
}
