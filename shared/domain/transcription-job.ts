import type { FailureCode } from '../contracts/transcription.ts';

/**
 * Result of starting a job. `exists`: the same job was started before. `busy`: try again later. `denied`: no permission, which may still be on its
 * way to every part of AWS. `refused`: the job can never start.
 */
export type JobStart = 'started' | 'exists' | 'busy' | 'denied' | { readonly refused: FailureCode };

/** A job's state as the engine reports it. `absent`: there is no such job. `denied`: the engine does not let the service ask. */
export type JobState = 'absent' | 'denied' | 'running' | 'completed' | { readonly failureReason: string };

/** Result of removing a job. `later`: it cannot be removed yet. */
export type JobRemoval = 'removed' | 'later';
