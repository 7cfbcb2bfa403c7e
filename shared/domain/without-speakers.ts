import { speakersOf } from './speakers.ts';
import type { Transcript } from './transcript.ts';
import type { TranscriptSpeakers } from './transcript-speakers.ts';

/** The labels of the speakers who are one of these participants, by the evidence or by a correction. */
export function labelsOf(
  { speakers, corrections }: Pick<TranscriptSpeakers, 'corrections'> & { readonly speakers: Transcript['speakers'] },
  participantIds: ReadonlySet<string>,
): Set<string> {
  const isOne = (participantId: string | null) => participantId !== null && participantIds.has(participantId);
  return new Set([
    ...speakers.filter(({ participantId }) => isOne(participantId)).map(({ speaker }) => speaker),
    ...Object.entries(corrections).flatMap(([speaker, { participantId }]) => (isOne(participantId) ? [speaker] : [])),
  ]);
}

/** The transcript without what these speakers say. What it lacks no longer names these participants. */
export function withoutSpeakers(
  transcript: Transcript,
  labels: ReadonlySet<string>,
  participantIds: ReadonlySet<string>,
): Transcript {
  const isKept = ({ speaker }: { readonly speaker: string }) => !labels.has(speaker);
  const { missing, echoes } = transcript;
  return {
    ...transcript,
    turns: transcript.turns.filter(isKept),
    speakers: transcript.speakers.filter(isKept),
    ...(missing && {
      missing: missing.map((span) =>
        participantIds.has(span.participantId ?? '') ? { ...span, participantId: null } : span,
      ),
    }),
    ...(echoes && { echoes: echoes.filter(isKept) }),
  };
}

/** The row of the speakers of a transcript from which some were removed. */
export function rowWithoutSpeakers(
  { speakers, corrections }: TranscriptSpeakers,
  labels: ReadonlySet<string>,
  { turns }: Pick<Transcript, 'turns'>,
): Pick<TranscriptSpeakers, 'speakers' | 'corrections'> {
  const kept = Object.entries(corrections).filter(([speaker]) => !labels.has(speaker));
  const voices = speakers.filter(({ speaker }) => !labels.has(speaker));
  return { speakers: speakersOf(voices, turns), corrections: Object.fromEntries(kept) };
}
