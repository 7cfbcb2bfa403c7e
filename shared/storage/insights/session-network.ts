import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { acceptedYears } from '#shared/contracts/common/fields.ts';
import { type GetSessionNetwork, mostMinutes, type SessionMinute } from '#shared/contracts/insights/session-network.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import {
  blockSpans,
  minuteAfter,
  minuteFrom,
  minuteOf,
  type SessionMinutes,
  sessionMinutes,
} from '#shared/domain/insights/session/session-minutes.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { attributeNames, minuteSums, samplesByTime } from '#shared/runtime/names.ts';
import { decodeCursor, encodeCursor, foreignCursor } from '../common/cursor.ts';
import type { Page } from '../common/sorted-query.ts';
import { type FactPage, type FactQuery, factQueries } from './fact-queries.ts';
import { organizationSession, participantOfSamples, spanKey, startOfSpan } from './keys.ts';
import type { Lister } from './lists.ts';

/** Reads the network of a session by minute, one page per call. */
export type SessionNetworkReader = Lister<GetSessionNetwork, SessionMinute>;

/** How much one call reads, counted in blocks and in their minutes. */
export type ReadLimits = {
  /** A page ends after this many, if at least one minute is complete. */
  readonly usual: number;
  /** After this many without a complete minute the request is refused. */
  readonly most: number;
};

/**
 * Usually 20 000 blocks of a minute, which are about 6 MB and 750 read units: a block of a minute mostly touches two. 60 000 of them take
 * about 25 queries, 2 250 read units and 270 MB of memory. One call has time for that, and its points pay for it.
 */
const readLimits: ReadLimits = { usual: 60_000, most: 180_000 };

const Row = z.object({
  [attributeNames.factKey]: z.string(),
  [attributeNames.spanKey]: z.string(),
  [minuteSums]: z.string(),
});
const Sums = z.array(z.array(z.number()));

/** The minutes that begin from `first` on and before `end`, in milliseconds since 1970. */
type Window = { readonly first: number; readonly end: number };

/** The blocks of one span, in the order of their start. All that begin before `readTo` were read. */
type Stream = { readonly query: FactQuery; after: FactPage['next']; readTo: number };

/** Adds up the minutes of a session when they are read. A page has whole minutes only, and its cursor is the first minute that it does not have. */
export function sessionNetworkReader(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
  { usual, most }: ReadLimits = readLimits,
): SessionNetworkReader {
  const queries = factQueries(documents, tableName);

  /** Reads the next blocks of a stream and returns how much that was. */
  const readMore = async (stream: Stream, minutes: SessionMinutes): Promise<number> => {
    const { items, next } = await queries.page(stream.query, { after: stream.after });
    const read = items.map((item) => addBlock(minutes, item));
    stream.after = next;
    stream.readTo = next ? (read.at(-1)?.startedAt ?? stream.readTo) : Number.POSITIVE_INFINITY;
    return read.reduce((sum, { work }) => sum + work, 0);
  };

  return async (organizationId, { roomSessionId, from, to, cursor }) => {
    const list = ['session-network', roomSessionId, from ?? null, to ?? null];
    const window = windowOf(from, to);
    const { first, end } = cursor === undefined ? window : { ...window, first: positionOf(list, cursor, window) };
    if (first >= end) return { results: [], cursor: null };
    const minutes = sessionMinutes({ first, end });
    const streams = streamsOf({ organizationId, roomSessionId }, { first, end });
    for (let work = 0; ; ) {
      const readTo = Math.min(...streams.map((stream) => stream.readTo));
      const complete = Math.min(minuteOf(readTo), end);
      const isEnough = complete > first && (work >= usual || minutes.before(complete).length > mostMinutes);
      if (complete === end || isEnough) return pageOf(list, minutes, { complete, end });
      if (work >= most) throw tooMuch();
      const behind = streams.filter((stream) => stream.readTo === readTo);
      for (const read of await Promise.all(behind.map((stream) => readMore(stream, minutes)))) work += read;
    }
  };
}

function windowOf(from: string | undefined, to: string | undefined): Window {
  const [, lastYear] = acceptedYears;
  return {
    first: from === undefined ? 0 : minuteFrom(Date.parse(from)),
    end: to === undefined ? Date.UTC(lastYear + 1, 11, 31) : minuteFrom(Date.parse(to)), // a block of the last year can reach into the next one
  };
}

/** The minute with which the page begins. */
function positionOf(list: readonly unknown[], cursor: string, { first, end }: Window): number {
  const text = decodeCursor(list, cursor, [timeOf(first), timeOf(end)]);
  const position = minuteOf(Date.parse(text));
  if (Number.isNaN(position) || timeOf(position) !== text) throw foreignCursor();
  return position;
}

/** A block that begins before the window can reach into it. */
function streamsOf(session: SessionId, { first, end }: Window): Stream[] {
  return blockSpans.map(({ name, ms }) => ({
    query: {
      owner: organizationSession(session),
      range: [spanKey(name, timeOf(first - ms)), spanKey(name, timeOf(end - 1))],
      consistent: false,
      index: { name: samplesByTime, sortKey: attributeNames.spanKey },
    },
    after: undefined,
    readTo: Number.NEGATIVE_INFINITY,
  }));
}

function addBlock(minutes: SessionMinutes, item: unknown): { readonly startedAt: number; readonly work: number } {
  const row = Row.parse(item);
  const startedAt = Date.parse(startOfSpan(row.spanKey));
  const sums = Sums.parse(JSON.parse(row.minuteSums));
  minutes.add(participantOfSamples(row.factKey), startedAt, sums);
  return { startedAt, work: 1 + sums.length };
}

/** The first complete minutes, and where the next ones begin. */
function pageOf(
  list: readonly unknown[],
  minutes: SessionMinutes,
  { complete, end }: { readonly complete: number; readonly end: number },
): Page<SessionMinute> {
  const all = minutes.before(complete);
  const shown = all.slice(0, mostMinutes);
  const next = all.length > shown.length ? minuteAfter(shown.at(-1) ?? complete) : complete;
  return {
    results: shown.map((minute) => minutes.at(minute)),
    cursor: next < end ? encodeCursor(list, timeOf(next)) : null,
  };
}

function tooMuch(): InvalidRequest {
  const message = 'must be later: the first minute has more samples than one answer can be made from';
  return new InvalidRequest([{ path: 'from', message }]);
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
