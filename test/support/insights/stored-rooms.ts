import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  type RoomKey,
  type RoomRecord,
  type SessionRecord,
  unknownRoom,
} from '#shared/domain/insights/insight-records.ts';
import { noUsage } from '#shared/domain/insights/usage.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';

type Item = Record<string, unknown>;

/** The number of rows and a function that makes each, so that a million rows need no memory. */
export type Rows = { readonly count: number; readonly make: (index: number) => Item };

export type WriteOptions = {
  readonly parallel?: number;
  /** Called with the number of rows written so far. */
  readonly onProgress?: (written: number) => void;
};

/** BatchWriteItem takes 25 items. */
const rowsPerBatch = 25;

/** Writes rows directly to DynamoDB in the largest possible batches. */
export async function writeRows(
  documents: DynamoDBDocumentClient,
  tableName: string,
  { count, make }: Rows,
  { parallel = 2, onProgress }: WriteOptions = {},
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(count / rowsPerBatch) }, (_, batch) => batch * rowsPerBatch);
  let written = 0;
  await inParallel(starts, parallel, async (start) => {
    const length = Math.min(rowsPerBatch, count - start);
    const requests = Array.from({ length }, (_, index) => ({ PutRequest: { Item: make(start + index) } }));
    const { UnprocessedItems = {} } = await documents.send(
      new BatchWriteCommand({ RequestItems: { [tableName]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB did not write every row.');
    written += length;
    onProgress?.(written);
  });
}

const firstDay = Date.parse('2026-01-01T00:00:00.000Z');
const minuteMs = 60_000;

/** The name of a stored room. */
export function storedRoomName(index: number): string {
  return `/stored-${String(index).padStart(7, '0')}`;
}

/** A stored room, as events would have created it. Every value differs between rooms, and some rooms have no end. */
export function storedRoom(organizationId: OrganizationId, index: number): RoomRecord {
  const spread = (index * 7919) % 1_000_003; // primes: neighbours are far apart in every order
  const at = (minutes: number) => new Date(firstDay + minutes * minuteMs).toISOString();
  const ratings = spread % 40;
  return {
    ...unknownRoom({ organizationId, roomName: storedRoomName(index) }),
    createdAt: at(spread % 10_000),
    endAt: index % 4 === 0 ? null : at(1_000_000 + spread),
    firstSessionStartedAt: at(10_000 + (spread % 5_000)),
    lastSessionStartedAt: at(20_000 + spread),
    sessions: 1 + (spread % 400),
    usage: {
      participantMinutes: spread,
      recorderMinutes: spread % 1_000,
      streamerMinutes: spread % 300,
      ratingThousandths: ratings * (1_000 + (spread % 4_000)),
      ratings,
    },
    visitors: { participant: 1 + (spread % 900), recorder: spread % 2, streamer: spread % 3 },
    version: 1 + (spread % 1_000),
  };
}

/** The id of a stored session. */
export function storedSessionId(index: number): string {
  return `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
}

/** A stored session of a room, as events would have recorded it. Every value differs between sessions, and some have no end yet. */
export function storedSession(room: RoomKey, index: number): SessionRecord {
  const spread = (index * 7919) % 1_000_003;
  const at = (minutes: number) => new Date(firstDay + minutes * minuteMs).toISOString();
  const [startedAt, endedAt] = [at(spread), index % 4 === 0 ? null : at(spread + 30)];
  return {
    ...{ ...room, roomSessionId: storedSessionId(index), startedAt, endedAt },
    usage: { ...noUsage, participantMinutes: spread, ratings: spread % 40, ratingThousandths: (spread % 40) * 4_000 },
    visitors: { participant: 1 + (spread % 900), recorder: spread % 2, streamer: spread % 3 },
    ...{ talk: null, missing: [], asOf: endedAt ?? startedAt, version: 1 + (spread % 1_000), listedVersion: 1 },
    ...(endedAt === null && { idleFrom: at(spread + 1_440) }),
  };
}
