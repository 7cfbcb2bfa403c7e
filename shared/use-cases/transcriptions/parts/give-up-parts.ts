import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';

/**
 * Fails the parts of a work that still wait for Transcribe, so that the others become a transcript. Returns false, and changes nothing, if
 * no part is done. A part that runs counts too, unless the parts have waited for a day: then it would have ended.
 */
export async function giveUpWaitingParts(
  works: Pick<WorkStore, 'listParts' | 'endPart'>,
  work: WorkKey,
  failureCode: FailureCode = 'engine_error',
): Promise<boolean> {
  const parts = await works.listParts(work);
  const isLate = failureCode === 'engine_error';
  if (!parts.some(({ state }) => state === 'done' || (state === 'running' && !isLate))) return false;
  for (const { part, state } of parts)
    if (state === 'waiting') await works.endPart({ ...work, part }, { state: 'failed', failureCode });
  return true;
}
