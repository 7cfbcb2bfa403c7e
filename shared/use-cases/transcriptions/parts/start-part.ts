import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { failure, needsOperator } from '#shared/domain/transcriptions/failures.ts';
import { hasEnded, type PartKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { workKeyOf } from '#shared/domain/transcriptions/parts/work.ts';
import { isInProgress, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type { TranscriptionJobs, TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import { type RefusalDependencies, refuseTranscription } from '../refuse-transcription.ts';
import { type StartRequest, type WaitDependencies, waitForTranscribe } from '../start-transcription.ts';
import { giveUpWaitingParts } from './give-up-parts.ts';
import { goOnAfter, type TurnDependencies } from './part-turns.ts';

type PartRequest = StartRequest & { readonly part: number };

/** The stores, queues and clock that starting a part needs. */
export type StartPartDependencies = TurnDependencies &
  RefusalDependencies &
  WaitDependencies & {
    readonly transcriptions: Pick<TranscriptionStore, 'find' | 'abandon'>;
    readonly works: Pick<WorkStore, 'find' | 'findPart' | 'listParts' | 'markPartRunning' | 'endPart'>;
    readonly jobs: Pick<TranscriptionJobs, 'start'>;
  };

/**
 * Result of a request to start a part. `taken-over`: its job was started for an earlier transcription. `ended`: it has ended before, and
 * another one has its turn. `refused`: Transcribe does not take it, so it has failed. `given-up`: the
 * transcription has failed. `parts-given-up`: those that waited have. `nothing`: this call changed nothing.
 */
export type StartPartOutcome =
  | { readonly result: 'started'; readonly recordingSeconds: number }
  | {
      readonly result:
        | 'taken-over'
        | 'busy'
        | 'denied'
        | 'ended'
        | 'refused'
        | 'given-up'
        | 'parts-given-up'
        | 'nothing';
    };

/**
 * Starts the Transcribe job of a waiting part of a transcription that is in progress. If the part has ended already, its turn goes on to
 * another one. If Transcribe is busy, this function sends a new request with a delay.
 */
export async function startPart(deps: StartPartDependencies, request: PartRequest): Promise<StartPartOutcome> {
  const { transcriptions, works, jobs, now = () => new Date() } = deps;
  const record = await transcriptions.find(request.organizationId, request.transcriptionId);
  if (!isInProgress(record) || record.partCount === undefined) return { result: 'nothing' };
  const key = { ...workKeyOf(record), part: request.part };
  const part = await works.findPart(key);
  if (!part || part.state === 'running') return { result: 'nothing' }; // the end of its job goes on
  if (hasEnded(part)) {
    await goOnAfter(deps, record, key);
    return { result: 'ended' };
  }
  if (!part.file) return endWith(deps, record, key, { state: 'done' });

  const outcome = await jobs.start({ ...record, part: request.part }, part.file, part.container);
  if (outcome === 'busy' || outcome === 'denied')
    return waitForTranscribe(deps, record, request, outcome, (code) => giveUp(deps, record, request, code));
  if (typeof outcome === 'object' && needsOperator(outcome.refused))
    return giveUp(deps, record, request, outcome.refused);
  if (typeof outcome === 'object') return endWith(deps, record, key, { state: 'failed', failureCode: outcome.refused });
  // Stores nothing if the job has ended already.
  await works.markPartRunning(key, now().toISOString());
  if (outcome === 'exists' && record.workId !== undefined) return { result: 'taken-over' };
  return { result: 'started', recordingSeconds: part.submittedSeconds };
}

/** Ends a part that has no job. */
async function endWith(
  deps: StartPartDependencies,
  record: TranscriptionRecord,
  key: PartKey,
  end: Parameters<WorkStore['endPart']>[1],
): Promise<StartPartOutcome> {
  const { works } = deps;
  await works.endPart(key, end);
  await goOnAfter(deps, record, key);
  return { result: end.state === 'failed' ? 'refused' : 'ended' };
}

/**
 * Fails all parts that wait, for the same reason. If no other one runs or is done, nothing has cost anything, and the
 * transcription is refused.
 */
async function giveUp(
  deps: StartPartDependencies,
  record: TranscriptionRecord,
  { part }: PartRequest,
  code: FailureCode,
): Promise<StartPartOutcome> {
  if (!(await giveUpWaitingParts(deps.works, workKeyOf(record), code)))
    return { result: (await refuseTranscription(deps, record, failure(code))) ? 'given-up' : 'nothing' };
  await goOnAfter(deps, record, { ...workKeyOf(record), part });
  return { result: 'parts-given-up' };
}
