import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { isDeleted, type StoredTranscription, type TranscriptionRecord } from './transcription.ts';

/** What must be stored before an event: nothing, or a transcription with these values. */
export type Situation =
  | 'nothing'
  | (Pick<TranscriptionRecord, 'state'> &
      Partial<Pick<TranscriptionRecord, 'type'>> & { readonly failureCode?: FailureCode });

/** What an event does to a transcription. */
export type Transition = {
  /** The situations in which the event is written. In any other situation the write fails and changes nothing. */
  readonly from: readonly Situation[];
  readonly to: TranscriptionRecord['state'] | 'tombstone';
  /** The attributes that the event sets. `all`: the event replaces the whole item. */
  readonly sets: readonly (keyof TranscriptionRecord)[] | 'all';
  readonly removes: readonly (keyof TranscriptionRecord)[];
  /** Whether the stored state and failure code must also be those that the caller has read. */
  readonly requiresStateAsRead?: boolean;
};

/** True if the event changes what is stored. The condition of its write says the same. */
export function mayChange(event: TranscriptionEvent, stored: StoredTranscription | undefined): boolean {
  const { from }: Transition = transitions[event];
  if (stored === undefined) return from.includes('nothing');
  if (isDeleted(stored)) return false;
  const values = { state: stored.state, type: stored.type, failureCode: stored.failure?.code };
  return from.some(
    (situation) =>
      situation !== 'nothing' &&
      Object.entries(situation).every(([name, value]) => values[name as keyof typeof values] === value),
  );
}

const inProgress = { state: 'in_progress' } as const;
const liveInProgress = { state: 'in_progress', type: 'LIVE_TRANSCRIPTION' } as const;
/** The reconciler has given it up. That is a guess: what the platform reports later is true, and replaces it. */
const liveGivenUp = { state: 'failed', type: 'LIVE_TRANSCRIPTION', failureCode: 'end_not_reported' } as const;
const ready = { state: 'ready' } as const;
const failed = { state: 'failed' } as const;

/**
 * The state machine of a transcription. The conditional writes, the cases of their tests, and the table in
 * docs/state-machine.md are generated from it. No `from` contains a tombstone, so no event restores a deleted transcription.
 */
export const transitions = {
  created: { from: ['nothing'], to: 'in_progress', sets: 'all', removes: [] },
  liveStarted: { from: ['nothing'], to: 'in_progress', sets: 'all', removes: [] },
  liveFinished: { from: ['nothing', liveInProgress, liveGivenUp], to: 'ready', sets: 'all', removes: [] },
  liveFailed: { from: ['nothing', liveInProgress, liveGivenUp], to: 'failed', sets: 'all', removes: [] },
  jobStarted: {
    from: [inProgress],
    to: 'in_progress',
    sets: ['jobStartedAt', 'dueAt', 'recordedSeconds'],
    removes: [],
  },
  prepared: {
    from: [inProgress],
    to: 'in_progress',
    sets: ['partCount', 'recordedSeconds', 'submittedSeconds', 'dueAt'],
    removes: [],
  },
  transcribed: {
    from: [inProgress],
    to: 'ready',
    sets: [
      'state',
      'filename',
      'durationInSeconds',
      'recordedSeconds',
      'submittedSeconds',
      'missing',
      'approximateTimes',
      'revision',
    ],
    removes: ['dueAt'],
  },
  failed: {
    from: [inProgress],
    to: 'failed',
    sets: ['state', 'failure', 'filename', 'durationInSeconds', 'revision'],
    removes: ['dueAt'],
  },
  /** It fails although its job may still start, run or have written its output. So the reconciler checks it once more. */
  abandoned: {
    from: [inProgress],
    to: 'failed',
    sets: ['state', 'failure', 'filename', 'durationInSeconds', 'dueAt', 'revision'],
    removes: [],
  },
  deleted: { from: [inProgress, ready, failed], to: 'tombstone', sets: 'all', removes: [], requiresStateAsRead: true },
} as const satisfies Readonly<Record<string, Transition>>;

/** Something that happens to a transcription. */
export type TranscriptionEvent = keyof typeof transitions;

/** An event that changes some attributes of the item and keeps the others. */
export type ChangeEvent = {
  [Event in TranscriptionEvent]: (typeof transitions)[Event]['sets'] extends 'all' ? never : Event;
}[TranscriptionEvent];

/** An event that replaces the whole item. */
export type ReplaceEvent = Exclude<TranscriptionEvent, ChangeEvent>;
