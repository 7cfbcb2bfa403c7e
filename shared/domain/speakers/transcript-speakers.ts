import { isDeepStrictEqual } from 'node:util';
import type { Speaker } from '#shared/contracts/transcript/speaker.ts';
import { withDistinctNames } from '../transcript/distinct-names.ts';
import type { Voice } from '../transcript/speakers.ts';

/** Who a person said a speaker is. */
export type Correction = { readonly participantId: string | null; readonly displayName: string };

/** Who speaks in a transcription. */
export type TranscriptSpeakers = {
  readonly languageCode: string | null;
  /** All languages, the one that was spoken longest first. Only if several were heard. */
  readonly languages?: readonly string[] | undefined;
  /** As the evidence names them. */
  readonly speakers: readonly Speaker[];
  /** By the labels of the speakers. */
  readonly corrections: Readonly<Record<string, Correction>>;
  /** How often the corrections have changed. */
  readonly revision: number;
  /** The row is from before those of speakers were kept beside their transcriptions. */
  readonly isApart?: true | undefined;
};

/** The speakers with the names that persons gave them, and with names that can be told apart. */
export function corrected<One extends Voice>(
  speakers: readonly One[],
  corrections: TranscriptSpeakers['corrections'],
): One[] {
  const known = new Map(Object.entries(corrections));
  const named = speakers.map((speaker): One => {
    const correction = known.get(speaker.speaker);
    return correction ? { ...speaker, ...correction, source: 'corrected', confidence: 1 } : speaker;
  });
  return withDistinctNames(named);
}

/** True if others are shown to speak after a change of the row than before it. */
export function showsOthers(
  before: Pick<TranscriptSpeakers, 'speakers' | 'corrections'>,
  after: Pick<TranscriptSpeakers, 'speakers' | 'corrections'>,
): boolean {
  return !isDeepStrictEqual(
    corrected(before.speakers, before.corrections),
    corrected(after.speakers, after.corrections),
  );
}

/** True if a speaker is known to be a participant of the session. */
export function namesParticipant({
  speakers,
  corrections,
}: Pick<TranscriptSpeakers, 'speakers' | 'corrections'>): boolean {
  return corrected(speakers, corrections).some(({ participantId }) => participantId !== null);
}

/** What the API shows of who speaks. */
export function shownSpeakers({ languageCode, languages, speakers, corrections }: TranscriptSpeakers): {
  readonly language: string | null;
  readonly languages?: string[];
  readonly speakers: Speaker[];
} {
  const all = languages && { languages: [...languages] };
  return { language: languageCode, ...all, speakers: corrected(speakers, corrections) };
}
