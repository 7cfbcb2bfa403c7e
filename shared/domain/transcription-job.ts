import type { FailureCode } from '../contracts/transcription.ts';

/** Result of starting a job. `exists`: the same job was started before. `busy`: try again later. `refused`: the job can never start. */
export type JobStart = 'started' | 'exists' | 'busy' | { readonly refused: FailureCode };

/** A job's state as the engine reports it. `absent`: there is no such job. */
export type JobState = 'absent' | 'running' | 'completed' | { readonly failureReason: string };

/** Result of removing a job. `later`: it cannot be removed yet. */
export type JobRemoval = 'removed' | 'later';
