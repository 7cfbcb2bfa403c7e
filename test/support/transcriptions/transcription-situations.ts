import { isDeleted, type StoredTranscription } from '#shared/domain/transcriptions/transcription.ts';
import {
  type TranscriptionEvent,
  type Transition,
  transitions,
} from '#shared/domain/transcriptions/transcription-states.ts';
import { tombstone, transcriptionRecord } from '../operations/records.ts';

const states = ['in_progress', 'ready', 'failed'] as const;
const types = ['RECORDING_TRANSCRIPTION', 'LIVE_TRANSCRIPTION'] as const;

const givenUp = { code: 'end_not_reported', message: 'Nothing came.' } as const;

/**
 * Every possible stored item when an event arrives: none, a transcription of each state and type, a live one that was given up,
 * and a tombstone.
 */
export const situations: readonly (readonly [name: string, stored: StoredTranscription | undefined])[] = [
  ['nothing', undefined],
  ...states.flatMap((state) =>
    types.map((type) => [`${state} ${type}`, transcriptionRecord({ state, type })] as const),
  ),
  [
    'given-up LIVE_TRANSCRIPTION',
    transcriptionRecord({ state: 'failed', type: 'LIVE_TRANSCRIPTION', failure: givenUp }),
  ],
  ['tombstone', tombstone()],
];

/** All events of the transition table. */
export const events = Object.keys(transitions) as TranscriptionEvent[];

/** Every event in every situation, and whether the transition table allows it. */
export const cases = events.flatMap((event) =>
  situations.map(([name, stored]) => ({ event, name, stored, isAllowed: isAllowed(event, stored) })),
);

function isAllowed(event: TranscriptionEvent, stored: StoredTranscription | undefined): boolean {
  const { from }: Transition = transitions[event];
  return from.some((situation) => {
    if (situation === 'nothing' || stored === undefined) return situation === 'nothing' && stored === undefined;
    if (isDeleted(stored)) return false;
    const values = { state: stored.state, type: stored.type, failureCode: stored.failure?.code };
    return isSubset(situation, values);
  });
}

function isSubset(part: object, whole: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(part).every(([name, value]) => whole[name] === value);
}
