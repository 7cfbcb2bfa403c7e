import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Refusal } from '#shared/contracts/message-ids.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  type ListRefusedEvents,
  RefusedEvent,
  refusedEventsPerHour,
} from '#shared/contracts/platforms/refused-events.ts';
import { refusalNotice } from '#shared/domain/transcriptions/recording-notices.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { afterAllTimes } from '../common/keys.ts';
import { type Page, queryPage } from '../common/sorted-query.ts';
import { type HourlyCount, hourlyCounts } from './refused-counts.ts';
import { putRefused } from './refused-puts.ts';

type Documents = Pick<DynamoDBDocumentClient, 'send'>;

/** A dead letter also lives this long from its sending, so a listed event can still be redriven. */
const keptMs = 14 * 24 * 60 * 60 * 1000;
/** The reasons of a row. A message can have more, and a sender who repairs these learns of the others. */
const maxReasons = 10;
/** How many refused events are listed. A platform can name any organization, so there is a limit for all together. */
type Limits = { readonly perHour: number; readonly perHourOfStage: number; readonly perBatch: number };
/** A batch has a limit, so that refused messages do not keep their worker from those of others. */
const usualLimits: Limits = { perHour: refusedEventsPerHour, perHourOfStage: 10_000, perBatch: 100 };
const organizationsAtOnce = 8;
/** No organization id contains a colon. */
const everyOrganization = 'refused-events:all';

/** Lists the refused events of an organization, one page per call. */
export type RefusedEventLister = (
  organizationId: OrganizationId,
  query: ListRefusedEvents,
) => Promise<Page<RefusedEvent>>;

const Row = z.object({
  receivedKey: z.string(),
  ...z.partial(z.pick(RefusedEvent, { eventId: true, type: true, roomSessionId: true, recordingId: true })).shape,
  reasons: RefusedEvent.shape.reasons,
  limitReached: z.optional(z.boolean()),
});

/**
 * Stores refused events: of those refused in an hour, at most 100 of an organization and 10 000 of the stage; of a batch, at most 100
 * in equal shares.
 * Storing an event again changes and counts nothing. The notice of a refused recording is stored with it. Beyond the limits it writes nothing, except one count a minute.
 */
export function refusedEventLog(
  documents: Documents,
  tables: { readonly refusedEvents: string; readonly rateLimits: string; readonly notices: string },
  { now = Date.now, limits = usualLimits }: { readonly now?: () => number; readonly limits?: Limits } = {},
) {
  const counts = hourlyCounts({ documents, tableName: tables.rateLimits }, now);

  const recordOf = async (refusals: readonly Refusal[], onAdded: () => void): Promise<void> => {
    const [{ organizationId } = { organizationId: '' }] = refusals;
    const slots = await counts.take(organizationId, refusals.length, limits.perHour);
    let added = 0;
    const record = async (refusal: Refusal, index: number) => {
      const item = itemOf(refusal, isLastOf(slots, index));
      const notice = refusalNotice(refusal, String(item[attributeNames.receivedKey]), new Date(now()));
      if (!(await putRefused(documents, tables, item, notice))) return;
      added += 1;
      onAdded();
    };
    await allEnded(refusals.slice(0, slots.taken).map(record)).finally(() => slots.settle(added));
  };

  return async (refusals: readonly Refusal[]): Promise<void> => {
    const shares = sharesOf(refusals, limits.perBatch).filter(
      ([first]) => first && !counts.isFull(first.organizationId),
    );
    if (shares.length === 0 || counts.isFull(everyOrganization)) return;
    const slots = await counts.take(everyOrganization, shares.flat().length, limits.perHourOfStage);
    const allotted = byOrganization(newestFirst(shares.flat()).slice(0, slots.taken));
    let added = 0;
    const onAdded = () => {
      added += 1;
    };
    try {
      for (const some of chunk(allotted, organizationsAtOnce))
        await allEnded(some.map((each) => recordOf(each, onAdded)));
    } finally {
      await slots.settle(added);
    }
  };
}

/** Lists refused events by the time when they were received, the latest first. */
export function refusedEventLister(
  documents: Documents,
  tableName: string,
  now: () => number = Date.now,
): RefusedEventLister {
  return async (organizationId, { cursor, limit }) => {
    const { results, cursor: next } = await queryPage(documents, {
      name: ['refused-events'],
      tableName,
      partition: [attributeNames.organizationId, organizationId],
      sortKey: attributeNames.receivedKey,
      range: [new Date(now() - keptMs).toISOString(), afterAllTimes], // DynamoDB deletes expired items up to days late
      direction: 'desc',
      cursor,
      limit,
    });
    return { results: results.map(toRefusedEvent), cursor: next };
  };
}

/** Reads why a message of an organization was refused. Undefined if it is not listed. */
export type RefusedReasons = (
  organizationId: OrganizationId,
  message: Pick<Refusal, 'sentAt' | 'messageId'>,
) => Promise<RefusedEvent['reasons'] | undefined>;

/** Reads one refused event by its key. */
export function refusedReasons(documents: Documents, tableName: string): RefusedReasons {
  return async (organizationId, message) => {
    const Key = { [attributeNames.organizationId]: organizationId, [attributeNames.receivedKey]: receivedKey(message) };
    const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key }));
    return Item && Row.parse(Item).reasons;
  };
}

/** The sort key of a refused message. Every receive of the message has the same key. */
function receivedKey({ sentAt, messageId }: Pick<Refusal, 'sentAt' | 'messageId'>): string {
  return `${sentAt.toISOString()}#${messageId}`;
}

/** The same number of refusals of each organization, together at most those of a batch. */
function sharesOf(refusals: readonly Refusal[], most: number): Refusal[][] {
  const ofEach = byOrganization(newestFirst(refusals)).slice(0, most);
  return ofEach.map((group) => group.slice(0, Math.floor(most / ofEach.length)));
}

function byOrganization(refusals: readonly Refusal[]): Refusal[][] {
  return [...Map.groupBy(refusals, ({ organizationId }) => organizationId).values()];
}

/** A message that came before may be listed already, and must not take the place of one that is not. */
function newestFirst(refusals: readonly Refusal[]): Refusal[] {
  return refusals.toSorted((one, other) => one.receives - other.receives);
}

/** Waits until all have ended. Throws the first error only then, so that what was done can be counted. */
async function allEnded(tasks: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(tasks)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function isLastOf({ taken, isFull }: HourlyCount, index: number): boolean {
  return isFull && index === taken - 1;
}

function itemOf(refusal: Refusal, limitReached: boolean): Record<string, unknown> {
  const { organizationId, messageId, sentAt, receives: _, issues, ...ids } = refusal;
  return {
    [attributeNames.organizationId]: organizationId,
    [attributeNames.receivedKey]: receivedKey({ sentAt, messageId }),
    [attributeNames.expiresAt]: Math.ceil((sentAt.getTime() + keptMs) / 1000),
    ...ids,
    reasons: issues.slice(0, maxReasons),
    ...(limitReached && { limitReached }),
  };
}

function toRefusedEvent(item: unknown): RefusedEvent {
  const { receivedKey: key, ...row } = Row.parse(item);
  const { eventId = null, type = null, roomSessionId = null, recordingId = null, limitReached = false } = row;
  const receivedAt = key.slice(0, key.indexOf('#'));
  return { eventId, type, roomSessionId, recordingId, receivedAt, reasons: row.reasons, limitReached };
}
