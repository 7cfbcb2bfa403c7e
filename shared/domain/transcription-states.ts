import type { TranscriptionRecord } from './transcription.ts';

/** A situation that an event may start from: nothing is stored, or a transcription whose attributes have these values. */
export type Situation = 'nothing' | (Pick<TranscriptionRecord, 'state'> & Partial<Pick<TranscriptionRecord, 'type'>>);

/** What an event does to a transcription. */
export type Transition = {
  /** The event is written in these situations only. In every other situation the write is refused and changes nothing. */
  readonly from: readonly Situation[];
  readonly to: TranscriptionRecord['state'] | 'tombstone';
  /** The attributes that the event sets. `all`: it replaces everything that is stored. */
  readonly sets: readonly (keyof TranscriptionRecord)[] | 'all';
  readonly removes: readonly (keyof TranscriptionRecord)[];
  /** The state must also be the one that the caller has read. */
  readonly isAsRead?: boolean;
};

const inProgress = { state: 'in_progress' } as const;
const liveInProgress = { state: 'in_progress', type: 'LIVE_TRANSCRIPTION' } as const;
const ready = { state: 'ready' } as const;
const failed = { state: 'failed' } as const;

/**
 * The state machine of a transcription. The conditional writes, their tests, and the table in docs/state-machine.md are
 * made from this table. A tombstone is in no `from`: nothing brings a deleted transcription back.
 */
export const transitions = {
  created: { from: ['nothing'], to: 'in_progress', sets: 'all', removes: [] },
  liveStarted: { from: ['nothing'], to: 'in_progress', sets: 'all', removes: [] },
  liveFinished: { from: ['nothing', liveInProgress], to: 'ready', sets: 'all', removes: [] },
  liveFailed: { from: ['nothing', liveInProgress], to: 'failed', sets: 'all', removes: [] },
  jobStarted: { from: [inProgress], to: 'in_progress', sets: ['jobStartedAt', 'dueAt'], removes: [] },
  transcribed: {
    from: [inProgress],
    to: 'ready',
    sets: ['state', 'filename', 'durationInSeconds'],
    removes: ['dueAt'],
  },
  failed: {
    from: [inProgress],
    to: 'failed',
    sets: ['state', 'failure', 'filename', 'durationInSeconds'],
    removes: ['dueAt'],
  },
  deleted: { from: [inProgress, ready, failed], to: 'tombstone', sets: 'all', removes: [], isAsRead: true },
} as const satisfies Readonly<Record<string, Transition>>;

/** Something that happens to a transcription. */
export type TranscriptionEvent = keyof typeof transitions;

/** An event that changes some attributes and leaves the others. */
export type ChangeEvent = {
  [Event in TranscriptionEvent]: (typeof transitions)[Event]['sets'] extends 'all' ? never : Event;
}[TranscriptionEvent];

/** An event that replaces everything that is stored. */
export type ReplaceEvent = Exclude<TranscriptionEvent, ChangeEvent>;
