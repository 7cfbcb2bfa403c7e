import { joined, type Span } from './overlaps.ts';
import type { SpokenItem } from './transcript.ts';

/** When a speaker of the recognizer spoke, in seconds. */
export type Voice = { readonly speaker: string; readonly spans: readonly Span[] };

/** The time of a participant: of a connection, or of a voice that the platform detected. In seconds on the recording's clock. */
export type ParticipantSpan = Span & { readonly participantId: string };

/** The recognizer's speakers in the order of their first words. Times that are no times are left out. */
export function voicesOf(items: readonly SpokenItem[]): Voice[] {
  const words = items.filter(({ kind }) => kind === 'word');
  return [...Map.groupBy(words, ({ speaker }) => speaker)].map(([speaker, said]) => {
    const spans = said.map(({ startSeconds, endSeconds }) => ({ from: startSeconds, to: endSeconds }));
    return { speaker, spans: joined(spans.filter(isSpan), 0) };
  });
}

/** The spans of each participant, joined over gaps of at most `gap` seconds. */
export function spansByParticipant(all: readonly ParticipantSpan[], gap: number): Map<string, Span[]> {
  const byParticipant = Map.groupBy(all.filter(isSpan), ({ participantId }) => participantId);
  return new Map([...byParticipant].map(([participantId, spans]) => [participantId, joined(spans, gap)]));
}

function isSpan({ from, to }: Span): boolean {
  return from < to;
}
