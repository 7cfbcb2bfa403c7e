import type { SpokenInterval } from '#shared/contracts/insights/speech.ts';
import { joined, lengthOf, type Span } from '../transcript/overlaps.ts';
import { type ParticipantSpan, spansByParticipant } from '../transcript/voices.ts';

/** A block of speech is at most this long, so that reading a range of time does not read far before its start. */
export const maxBlockMs = 3_600_000;

/** By how many seconds the clock of reported speech may differ from that of a recording, so that speakers are still matched. */
export const maxSpeechOffsetSeconds = 60;

/** Speech of one participant, in milliseconds from `startedAt`, that is stored as one item. */
export type SpeechBlock = { readonly startedAt: string; readonly spans: readonly Span[] };

/**
 * Cuts the intervals of an event into blocks of at most an hour, counted from the first interval. Intervals that overlap or touch are one, and
 * one that reaches beyond its block goes on in the next.
 */
export function splitSpeech(intervals: readonly SpokenInterval[]): SpeechBlock[] {
  const spans = joined(
    intervals.map(({ from, to }) => ({ from: Date.parse(from), to: Date.parse(to) })),
    0,
  );
  const start = spans[0]?.from ?? 0;
  const pieces = spans.flatMap(({ from, to }) => {
    const first = Math.floor((from - start) / maxBlockMs);
    const end = Math.max(first + 1, Math.ceil((to - start) / maxBlockMs));
    return Array.from({ length: end - first }, (_, index) => {
      const blockStart = start + (first + index) * maxBlockMs;
      const piece = { from: Math.max(from, blockStart), to: Math.min(to, blockStart + maxBlockMs) };
      return { blockStart, from: piece.from - blockStart, to: piece.to - blockStart };
    });
  });
  return [...Map.groupBy(pieces, ({ blockStart }) => blockStart)].map(([blockStart, ofBlock]) => ({
    startedAt: new Date(blockStart).toISOString(),
    spans: ofBlock.map(({ from, to }) => ({ from, to })),
  }));
}

/** How long each participant spoke, in the unit of the spans. What several events tell of the same time counts once. */
export function spokenTimes(all: readonly ParticipantSpan[]): Map<string, number> {
  return new Map([...spansByParticipant(all, 0)].map(([participantId, spans]) => [participantId, lengthOf(spans)]));
}
