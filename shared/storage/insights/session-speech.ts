import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { maxBlockMs, maxSpeechOffsetSeconds, type SpeechBlock } from '#shared/domain/insights/speech.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import { inflatedText, zlib } from '#shared/runtime/zlib.ts';
import type { SpeechReader } from '#shared/use-cases/insights/ports.ts';
import { factQueries } from './fact-queries.ts';
import { organizationSession, speechBlocks } from './keys.ts';

/**
 * What one read takes at most. Ten people who talk without a break for 24 hours, with an event a minute from each, are 14 400 items and about 4 MB. A
 * read of more returns nothing, because names that come from a part of the speech could be wrong.
 */
export const mostSpeech = { pages: 20, spans: 200_000 } as const;

/** Pairs of a start and an end, in milliseconds from the start of the block, as compressed JSON. A minute of one participant costs one write unit. */
const Spans = z.array(z.tuple([z.number(), z.number()]));

const SpeechRow = z.object({
  participantId: z.string(),
  startedAt: z.string(),
  spans: z.pipe(
    z.instanceof(Uint8Array),
    z.transform((bytes) => Spans.parse(JSON.parse(inflatedText(bytes)))),
  ),
});

/** A block of speech as attributes of its item, without the key. */
export function toSpeechItem(participantId: string, { startedAt, spans }: SpeechBlock) {
  const pairs = spans.map(({ from, to }) => [from, to]);
  return { participantId, startedAt, spans: zlib().deflateRawSync(JSON.stringify(pairs)) };
}

/** A range of time in milliseconds since 1970; without it, all time. */
export type SpeechRange = { readonly from: number; readonly to: number };

/** The stored speech of sessions, by strongly consistent reads. */
export function sessionSpeech(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
  most: { readonly pages: number; readonly spans: number } = mostSpeech,
) {
  const { page } = factQueries(documents, tableName);

  return {
    /**
     * Reads when participants of a session spoke within a range, in milliseconds since 1970. Spans are in no order, and those of several events can
     * overlap. Returns undefined if that is more than one read takes.
     */
    async spansOf(session: SessionId, range?: SpeechRange): Promise<ParticipantSpan[] | undefined> {
      const keys = range && ([range.from - maxBlockMs, range.to].map(timeOf) as [string, string]);
      const query = { owner: organizationSession(session), range: speechBlocks(...(keys ?? [])), consistent: true };
      const spans: ParticipantSpan[] = [];
      let after: Record<string, unknown> | undefined;
      for (let pages = 0; pages < most.pages; pages += 1) {
        const { items, next } = await page(query, { after });
        for (const item of items) {
          spans.push(...spansWithin(item, range));
          if (spans.length > most.spans) return undefined;
        }
        if (!next) return spans;
        after = next;
      }
      return undefined;
    },
  };
}

/** Implements `SpeechReader`. Of a session with more speech than one read takes it returns nothing, so that no name comes from a part of it. */
export function speechReader(...stored: Parameters<typeof sessionSpeech>): SpeechReader {
  const { spansOf } = sessionSpeech(...stored);
  return {
    async speechOf(session, clockStart, seconds) {
      const start = Date.parse(clockStart);
      const early = maxSpeechOffsetSeconds * 1000;
      const spans = await spansOf(session, { from: start - early, to: start + seconds * 1000 + early });
      return (spans ?? []).map(({ participantId, from, to }) => ({
        participantId,
        from: (from - start) / 1000,
        to: (to - start) / 1000,
      }));
    },
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function spansWithin(item: Record<string, unknown>, range: SpeechRange | undefined): ParticipantSpan[] {
  const { participantId, startedAt, spans } = SpeechRow.parse(item);
  const start = Date.parse(startedAt);
  return spans
    .map(([from, to]) => ({ participantId, from: start + from, to: start + to }))
    .filter(({ from, to }) => !range || (from < range.to && to > range.from));
}
