import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';

/**
 * Result of starting a job. `exists`: the same job was started before. `busy`: try again later. `denied`: no permission, which may still be on its
 * way to every part of AWS. `refused`: the job can never start.
 */
export type JobStart = 'started' | 'exists' | 'busy' | 'denied' | { readonly refused: FailureCode };

/** The engine does not let the service ask for a job: the code of a transcription that is given up for it. */
export type Denial = { readonly denied: FailureCode };

/** A job's state as the engine reports it. `absent`: there is no such job. */
export type JobState = 'absent' | 'running' | 'completed' | { readonly failureReason: string } | Denial;

/** True for the state of a job for which the engine does not let the service ask. Such a job may run. */
export function isDenial(state: JobState): state is Denial {
  return typeof state === 'object' && 'denied' in state;
}

/** Result of removing a job. `later`: it cannot be removed yet. */
export type JobRemoval = 'removed' | 'later';
