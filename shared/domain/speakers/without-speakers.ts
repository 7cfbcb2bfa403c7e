import { comparableName } from '#shared/runtime/shown-name.ts';
import { speakersOf } from '../transcript/speakers.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { closeSeconds } from './bleed.ts';
import type { TranscriptSpeakers } from './transcript-speakers.ts';

/**
 * Whom to remove from a transcript: participants, and the names that nobody else has in the session, as
 * `comparableName` makes them.
 */
export type RemovedPerson = { readonly participantIds: ReadonlySet<string>; readonly names: ReadonlySet<string> };

/** The labels of the speakers who are the person: by the evidence, or because somebody gave them the participant or the name. */
export function labelsOf(
  { speakers, corrections }: Pick<TranscriptSpeakers, 'corrections'> & { readonly speakers: Transcript['speakers'] },
  { participantIds, names }: RemovedPerson,
): Set<string> {
  const isOne = (participantId: string | null) => participantId !== null && participantIds.has(participantId);
  const isNamed = ({ participantId, displayName }: TranscriptSpeakers['corrections'][string]) =>
    isOne(participantId) || (participantId === null && names.has(comparableName(displayName)));
  return new Set([
    ...speakers.filter(({ participantId }) => isOne(participantId)).map(({ speaker }) => speaker),
    ...Object.entries(corrections).flatMap(([speaker, correction]) => (isNamed(correction) ? [speaker] : [])),
  ]);
}

/**
 * The transcript without what these speakers say, also where microphones of others heard it. What it lacks no longer names the person.
 */
export function withoutSpeakers(
  transcript: Transcript,
  labels: ReadonlySet<string>,
  { participantIds }: Pick<RemovedPerson, 'participantIds'>,
): Transcript {
  const isKept = ({ speaker }: { readonly speaker: string }) => !labels.has(speaker);
  const isHers = ({ participantId }: { readonly participantId: string | null }) =>
    participantIds.has(participantId ?? '');
  const { missing, echoes } = transcript;
  const removed = transcript.turns.filter((turn) => !isKept(turn));
  return {
    ...transcript,
    turns: transcript.turns.filter(isKept),
    speakers: transcript.speakers.filter(isKept),
    ...(missing && { missing: missing.map((span) => (isHers(span) ? { ...span, participantId: null } : span)) }),
    ...(echoes && { echoes: echoes.filter((echo) => isKept(echo) && !removed.some((turn) => isDuring(echo, turn))) }),
  };
}

/** Whether a microphone can have heard a turn in an echo. */
function isDuring(echo: Transcript['turns'][number], turn: Transcript['turns'][number]): boolean {
  return echo.startSeconds <= turn.endSeconds + closeSeconds && turn.startSeconds - closeSeconds <= echo.endSeconds;
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
