import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { originalSpan, type TimeMap } from '#shared/domain/media/media-time-map.ts';
import { nameMixed, noEvidence, type SpeakerEvidence } from '#shared/domain/speakers/name-mixed.ts';
import { voicesOfTrack } from '#shared/domain/speakers/track-voices.ts';
import { languagesOf } from '#shared/domain/transcript/languages.ts';
import { missingSpans } from '#shared/domain/transcript/missing-spans.ts';
import { type Spoken, type SpokenItem, type Transcript, toTurns } from '#shared/domain/transcript/transcript.ts';
import { mergePieces } from './merge-pieces.ts';
import { haveChannels, speakersOfChannels } from './speakers-of-channels.ts';
import { type KeyedTrack, speakersOfTracks } from './speakers-of-tracks.ts';
import type { TranscriptionPart } from './transcription-part.ts';
import type { PlannedSource, WorkPlan } from './work-plan.ts';

/** A part that has ended: the words in it on the recording's clock, or why there are none. */
export type HeardPart = Pick<TranscriptionPart, 'participantId' | 'from' | 'to'> & {
  /** The number of its source in the plan. */
  readonly source: number;
} & ({ readonly spoken: Spoken } | { readonly failureCode: FailureCode });

type SpokenPart = Extract<HeardPart, { readonly spoken: Spoken }>;

/** The words of a part on the recording's clock. `offset` is when its source begins there. A part without a map is its source as it is. */
export function onRecordingClock(
  spoken: Spoken,
  map: TimeMap | undefined,
  { files: [first] }: Pick<PlannedSource, 'files'>,
): Spoken {
  let previousEnd = 0;
  const items = spoken.items.map((item): SpokenItem => {
    const { kind, startSeconds: from, endSeconds: to } = item;
    const original = map ? originalSpan(map, { from, to }) : { from, to };
    const startSeconds = kind === 'word' ? atRecording(original.from, first?.offset) : previousEnd;
    const endSeconds = kind === 'word' ? atRecording(original.to, first?.offset) : previousEnd;
    previousEnd = endSeconds;
    return { ...item, startSeconds, endSeconds };
  });
  return { ...spoken, items };
}

/** Rounded to a millisecond. What was said a little before the recording began is shown at its beginning. */
function atRecording(seconds: number, offset = 0): number {
  return Math.max(0, Math.round((seconds + offset) * 1000) / 1000);
}

/**
 * The transcript of a work all of whose parts have ended, or why there is none: the most frequent reason of the parts that failed, or
 * that nobody spoke. `channels` are the participants of the channels of the mixed file, if the options name them.
 */
export function mergeParts(
  plan: WorkPlan,
  parts: readonly HeardPart[],
  evidence: SpeakerEvidence = noEvidence,
  channels?: readonly string[],
): Transcript | FailureCode {
  const spoken = parts.filter((part): part is SpokenPart => 'spoken' in part && part.spoken.items.some(isWord));
  if (spoken.length === 0) return mostFrequent(parts.flatMap((part) => lossOf(part) ?? [])) ?? 'no_speech';
  return {
    ...languagesOf(spoken.map(wordsOf)),
    ...(isMixed(plan) ? mixed(spoken, evidence, channels) : speakersOfTracks(tracksOf(plan, spoken), evidence.people)),
    recordedSeconds: plan.recordedSeconds,
    clockStartDate: plan.clockStart,
    missing: missingSpans(
      parts.map((part) => ({ ...part, isScreen: plan.sources[part.source]?.isScreen, missing: lossOf(part) })),
    ),
    approximateTimes: hasApproximateTimes(plan),
  };
}

/** True if the work is made from a mixed file, and not from tracks. */
export function isMixed({ sources }: WorkPlan): boolean {
  return sources.every(({ participantId }) => participantId === null);
}

/** True if a time of the transcript may be wrong: a file is not as long as its dates say, or a date is wrong. */
export function hasApproximateTimes({ hasWrongDate, sources }: WorkPlan): boolean {
  return hasWrongDate || sources.some(({ isApproximate }) => isApproximate);
}

/** Why words of a part are missing. A part in which nobody speaks lacks none. */
function lossOf(part: HeardPart): FailureCode | undefined {
  return 'failureCode' in part && part.failureCode !== 'no_speech' ? part.failureCode : undefined;
}

function mixed(
  spoken: readonly SpokenPart[],
  evidence: SpeakerEvidence,
  channels: readonly string[] | undefined,
): Pick<Transcript, 'turns' | 'echoes' | 'speakers'> {
  const { languageCode } = languagesOf(spoken.map(wordsOf));
  const pieces = spoken.map(({ from, to, spoken: { items } }) => ({ from, to, items }));
  if (channels && pieces.every(({ items }) => haveChannels(items)))
    return speakersOfChannels(pieces, { channels, languageCode }, evidence.people);
  const items = mergePieces(pieces);
  const turns = toTurns(items, languageCode);
  return { turns, speakers: nameMixed(items, turns, evidence) };
}

/**
 * The tracks of each speaker: their parts that follow each other. Parts at the same time, such as of two devices, are two tracks of the
 * same speaker, so that the words of a track stay in their order.
 */
function tracksOf({ sources }: WorkPlan, spoken: readonly SpokenPart[]): KeyedTrack[] {
  const whoseOf = ({ participantId, source }: SpokenPart) =>
    ({ participantId: participantId ?? '', input: sources[source]?.isScreen ? 'screen' : 'microphone' }) as const;
  const bySource = Map.groupBy(spoken, (part) => JSON.stringify(whoseOf(part)));
  return [...bySource].flatMap(([key, parts]) => {
    const whose = whoseOf(parts[0] as SpokenPart);
    const heard = voicesOfTrack(
      key,
      parts.map((part) => part.spoken.items),
      whose.input,
    );
    const voices = new Map([...heard.voices].map(([speaker, voice]) => [speaker, { ...whose, voice }]));
    const keyed = parts.map((part, index) => ({ ...part, items: heard.parts[index] ?? [] }));
    return inSequence(keyed).map((sequence) => ({
      voices,
      languageCode: languagesOf(sequence.map(wordsOf)).languageCode,
      items: sequence.flatMap(({ items }) => items),
    }));
  });
}

/** Parts overlap by no more than what rounding makes of neighbours. */
const toleranceSeconds = 0.1;

function inSequence<Part extends SpokenPart>(parts: readonly Part[]): Part[][] {
  const sequences: Part[][] = [];
  for (const part of parts.toSorted((one, other) => one.from - other.from)) {
    const free = sequences.find((sequence) => (sequence.at(-1)?.to ?? 0) <= part.from + toleranceSeconds);
    if (free) free.push(part);
    else sequences.push([part]);
  }
  return sequences;
}

function wordsOf({ spoken }: SpokenPart): Spoken {
  return spoken;
}

function isWord({ kind }: SpokenItem): boolean {
  return kind === 'word';
}

/** The most frequent of these codes, and of equally frequent ones the first. */
function mostFrequent(codes: readonly FailureCode[]): FailureCode | undefined {
  const groups = [...Map.groupBy(codes, (code) => code).values()];
  return groups.toSorted((one, other) => other.length - one.length)[0]?.[0];
}
