import { type Transcription, TranscriptionPage, type TranscriptionSortField } from '#shared/contracts/transcription.ts';
import { clientOf, read } from './checked-api.ts';
import { liveSession, sendToRoomEvents } from './live-sessions.ts';
import { eventually } from './machine.ts';

/** A list query: `cursor` and the like as they stand in the URL, unencoded. */
export type ListQuery = Readonly<Record<string, string | number | undefined>>;

/** The path of a list, its parameters percent-encoded. */
export function listPath(query: ListQuery = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `/v1/transcriptions${given.length > 0 ? `?${given.join('&')}` : ''}`;
}

/** One page of an organization's transcriptions. */
export async function pageOf(organizationId: string, query: ListQuery = {}): Promise<TranscriptionPage> {
  return read(TranscriptionPage, await clientOf(organizationId)('GET', listPath(query)));
}

/** All pages to the last, one after the other. */
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

/** Live transcriptions with these facts, sent through the queue and listed by now; in no particular order. */
export async function listedSessions(organizationId: string, facts: readonly SessionFacts[]): Promise<Transcription[]> {
  const events = facts.map(({ durationInSeconds = 600, ...session }) =>
    liveSession(organizationId, session).finished({ endDate: '2027-01-01T00:00:00Z', durationInSeconds }),
  );
  await sendToRoomEvents(events);
  return eventually(async () => {
    const listed = (await pagesOf(organizationId, { limit: 100 })).flatMap(({ results }) => results);
    if (listed.length < facts.length) throw new Error(`Listed are ${listed.length} of ${facts.length}.`);
    return listed;
  }, 30_000);
}

/** The order that a list promises: by the field, ties by start, then by id; descending, all of it the other way round. */
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

/** Numbers by their size, text by its bytes in UTF-8. */
function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' ? one - Number(other) : Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
}
