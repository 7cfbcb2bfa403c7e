import { isDeepStrictEqual } from 'node:util';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { type MediaFacts, planMedia, trackLimits } from '#shared/domain/media/media-plan.ts';
import type { PlannedFile } from '#shared/domain/media/planned-file.ts';

/** A file with its place on the recording's clock. Without facts, it cannot be transcribed. */
export type PlacedFile = {
  readonly participantId: string | null;
  readonly isScreen: boolean;
  readonly file: PlannedFile;
  readonly isApproximate: boolean;
} & ({ readonly facts: MediaFacts } | { readonly facts?: undefined; readonly refused: FailureCode });

/** Files that are joined into one stretch, in their order. */
export type Stretch = readonly [PlacedFile, ...PlacedFile[]];

/** Packets of these codecs can follow those of another file. Vorbis and FLAC have headers for one file. */
const joinableCodecs = /^(opus|aac|mp3|ulaw|alaw|pcm-.+)$/;
/** Clocks of recorders differ. A file that begins so little before the end of the last one follows it. */
const overlapSeconds = 0.3;

/**
 * Joins files of one participant and source that follow each other, have the same codec, rate and channels, and have no gap of more
 * than `gapSeconds` between them. A file that begins a little too early begins where the last one ends.
 */
export function stretchesOf(files: readonly PlacedFile[], gapSeconds: number): Stretch[] {
  const bySource = Map.groupBy(files, ({ participantId, isScreen }) => JSON.stringify([participantId, isScreen]));
  return [...bySource.values()].flatMap((ofSource) => {
    const stretches: [PlacedFile, ...PlacedFile[]][] = [];
    for (const placed of ofSource.toSorted((one, other) => one.file.offset - other.file.offset)) {
      const stretch = stretches.at(-1);
      const next = stretch && following(stretch.at(-1), placed, gapSeconds);
      if (next) stretch.push(next);
      else stretches.push([placed]);
    }
    return stretches;
  });
}

/** The file as it follows another one in a stretch. Undefined if it begins a stretch of its own. */
function following(before: PlacedFile | undefined, placed: PlacedFile, gapSeconds: number): PlacedFile | undefined {
  if (!before?.facts || !placed.facts || !isJoinable(before.facts) || !isJoinable(placed.facts)) return undefined;
  if (!isDeepStrictEqual(before.facts.audio[0], placed.facts.audio[0])) return undefined;
  const end = before.file.offset + before.file.seconds;
  const gap = placed.file.offset - end;
  if (gap < -overlapSeconds || gap > gapSeconds) return undefined;
  return { ...placed, file: { ...placed.file, offset: Math.max(end, placed.file.offset) } };
}

function isJoinable(facts: MediaFacts): boolean {
  return joinableCodecs.test(facts.audio[0]?.codec ?? '') && planMedia(facts, trackLimits).kind !== 'refused';
}
