import type { Transcription, TranscriptionSortField } from '#shared/contracts/transcriptions/transcription.ts';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../eventually.ts';
import { liveSession, sendToRoomEvents } from '../insights/live-sessions.ts';
import { clientOf, read } from './checked-api.ts';

/** Query parameters of a list, not encoded. */
export type ListQuery = Readonly<Record<string, string | number | undefined>>;

/** The path of a list with percent-encoded parameters. */
export function listPath(query: ListQuery = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `/v1/transcriptions${given.length > 0 ? `?${given.join('&')}` : ''}`;
}

/** Reads one page of the transcriptions of an organization. */
export async function pageOf(organizationId: string, query: ListQuery = {}): Promise<TranscriptionPage> {
  return read(TranscriptionPage, await clientOf(organizationId)('GET', listPath(query)));
}

/** Reads all pages in order. */
export async function pagesOf(organizationId: string, query: ListQuery): Promise<TranscriptionPage[]> {
  const pages = [await pageOf(organizationId, query)];
  for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor) {
    pages.push(await pageOf(organizationId, { ...query, cursor }));
  }
  return pages;
}

export type SessionFacts = {
  readonly roomName?: string;
  readonly startDate?: string;
  readonly durationInSeconds?: number;
};

/**
 * Sends live transcriptions with these facts through the queue and waits until they are listed. Returns them in any
 * order.
 */
export async function listedSessions(organizationId: string, facts: readonly SessionFacts[]): Promise<Transcription[]> {
  const events = facts.map(({ durationInSeconds = 600, ...session }) =>
    liveSession(organizationId, session).finished({ endDate: '2027-01-01T00:00:00Z', durationInSeconds }),
  );
  await sendToRoomEvents(events);
  return eventually(async () => {
    const listed = (await pagesOf(organizationId, { limit: 100 })).flatMap(({ results }) => results);
    if (listed.length < facts.length) throw new Error(`${listed.length} of ${facts.length} transcriptions are listed.`);
    return listed;
  }, 30_000);
}

/**
 * Sorts transcriptions as the list promises: by the field, then by start, then by id, and all of that reversed if
 * descending.
 */
export function sorted(
  transcriptions: readonly Transcription[],
  field: TranscriptionSortField,
  direction: 'asc' | 'desc',
): Transcription[] {
  const ascending = transcriptions.toSorted(
    (one, other) =>
      compare(one[field], other[field]) ||
      compare(one.startDate, other.startDate) ||
      compare(one.transcriptionId, other.transcriptionId),
  );
  return direction === 'asc' ? ascending : ascending.toReversed();
}

/** Compares numbers by value and text by its UTF-8 bytes. */
function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' ? one - Number(other) : Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
}
