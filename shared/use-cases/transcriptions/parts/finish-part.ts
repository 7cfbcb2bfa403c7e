import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { hasEnded, type PartKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { isInProgress } from '#shared/domain/transcriptions/transcription.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type { TranscriptionJobs, TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import { ownerOf } from '../end-work.ts';
import { goOnAfter, type TurnDependencies } from './part-turns.ts';

/** What `finishPart` needs. */
export type FinishPartDependencies = TurnDependencies & {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly works: Pick<WorkStore, 'find' | 'findPart' | 'endPart'>;
  readonly jobs: Pick<TranscriptionJobs, 'remove'>;
};

/**
 * Stores the end of a part whose job has ended, and counts it once. Then it goes on with the work if a transcription waits for it, also if
 * another call has stored the end: that one may have died before it went on. The job is removed, unless a worker could still start it
 * again. Returns true if this call has ended the part.
 */
export async function finishPart(
  deps: FinishPartDependencies,
  key: PartKey,
  failureCode: FailureCode | undefined,
): Promise<boolean> {
  const { transcriptions, works, jobs, now = () => new Date() } = deps;
  const { organizationId, workId: transcriptionId } = key;
  const part = await works.findPart(key);
  const end = failureCode === undefined ? ({ state: 'done' } as const) : ({ state: 'failed', failureCode } as const);
  const hasEndedNow = part !== undefined && !hasEnded(part) && (await works.endPart(key, end));
  // The end of a deleted transcription's part is stored, too: a new one may take the work over.
  const owner = await ownerOf(transcriptions, { organizationId, transcriptionId });
  if (isInProgress(owner)) await goOnAfter(deps, owner, key);
  const mayBeStarting =
    part !== undefined && (part.jobStartedAt === undefined || !deadlines.isStartOver(part.jobStartedAt, now()));
  if (!mayBeStarting) await jobs.remove({ organizationId, transcriptionId, part: key.part });
  return hasEndedNow;
}
