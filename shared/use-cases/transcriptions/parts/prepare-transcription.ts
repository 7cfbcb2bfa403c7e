import type {
  MediaPreparationMessage,
  TranscriptionJobMessage,
  TranscriptionMergeMessage,
} from '#shared/contracts/messages.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import {
  hasEnded,
  partsToStart,
  type TranscriptionPart,
  type WorkKey,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { workKeyOf } from '#shared/domain/transcriptions/parts/work.ts';
import type { WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import { secondsOfParts, submittedOfParts } from '#shared/domain/transcriptions/recognized-seconds.ts';
import { isInProgress, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type {
  CountCorrection,
  TranscriptFileStore,
  TranscriptionStore,
} from '#shared/use-cases/transcriptions/ports.ts';
import { correctCount } from '../correct-count.ts';
import { ownerOf } from '../end-work.ts';
import { type PlanDependencies, planTranscription } from '../plan-transcription.ts';
import { type RefusalDependencies, refuseTranscription } from '../refuse-transcription.ts';
import { startOf } from './part-turns.ts';
import { type BegunTurn, beginTurn, endTurn, handTurnOn } from './preparation-turn.ts';
import { type PartDependencies, type Prepared, prepareParts } from './prepare-parts.ts';

/** The stores, files, queues and clock that preparing needs. */
export type PrepareDependencies = RefusalDependencies &
  PlanDependencies &
  PartDependencies & {
    readonly transcriptions: Pick<TranscriptionStore, 'find' | 'abandon' | 'markPrepared'>;
    readonly works: Pick<
      WorkStore,
      'find' | 'begin' | 'addPart' | 'listParts' | 'findTurn' | 'storeTurn' | 'markCounted' | 'remove'
    >;
    readonly files: Pick<TranscriptFileStore, 'removeWork'>;
    readonly counts: CountCorrection;
    /** How many parts of one work are at Transcribe at the same time. */
    readonly partsAtOnce: number;
    readonly sendAgain: (message: MediaPreparationMessage) => Promise<void>;
    readonly sendJobs: (organizationId: OrganizationId, messages: readonly TranscriptionJobMessage[]) => Promise<void>;
    readonly sendMerge: (message: TranscriptionMergeMessage) => Promise<void>;
  };

/**
 * Result of a message. `again`: time is up, and another turn goes on. `nothing`: the transcription is not in progress (any more), its
 * parts were prepared before, or another run has the turn.
 */
export type PrepareOutcome = { readonly result: 'prepared' | 'again' | 'failed' | 'nothing' } & Partial<Prepared>;

/**
 * Prepares the media of a transcription: plans its parts, writes the files that Transcribe can read, corrects what it counts, and
 * starts its first parts. It is safe to repeat: everything that it writes follows from the plan that the head of the work names. Of
 * several runs, one has the turn, and the others do nothing.
 */
export async function prepareTranscription(
  deps: PrepareDependencies,
  { organizationId, transcriptionId, turnId }: MediaPreparationMessage,
): Promise<PrepareOutcome> {
  const { transcriptions, works } = deps;
  const record = await transcriptions.find(organizationId, transcriptionId);
  if (!isInProgress(record) || record.type === 'LIVE_TRANSCRIPTION') return { result: 'nothing' };
  if (record.partCount !== undefined) {
    // An earlier delivery of the message may have died before it sent the starts.
    await startParts(deps, record, await works.listParts(workKeyOf(record)));
    return { result: 'nothing' };
  }
  const key = workKeyOf(record);
  const turn = await beginTurn(deps, key, turnId);
  if (!turn) return { result: 'nothing' };
  try {
    const outcome = await prepareIn(deps, record, turn);
    if (outcome.result === 'nothing') return { ...outcome, ...(await leaveWork(deps, key, turn)) };
    if (outcome.result !== 'again') await endTurn(deps, key, turn, false);
    return outcome;
  } catch (error) {
    await endTurn(deps, key, turn, true);
    throw error;
  }
}

async function prepareIn(
  deps: PrepareDependencies,
  record: TranscriptionRecord,
  turn: BegunTurn,
): Promise<PrepareOutcome> {
  const plan = await planTranscription(deps, record, turn);
  if ('refused' in plan) return refuse(deps, record, plan.refused);
  const { end, ...prepared } = await prepareParts(deps, record, plan, turn);
  if (end === 'gone') return { result: 'nothing', ...prepared };
  if (end === 'all') return { ...(await finishPreparation(deps, record, plan)), ...prepared };
  return { ...(await goOnLater(deps, record, turn)), ...prepared };
}

async function goOnLater(
  deps: PrepareDependencies,
  owner: TranscriptionRecord,
  turn: BegunTurn,
): Promise<PrepareOutcome> {
  const { organizationId, transcriptionId, correlationId } = owner;
  const turnId = await handTurnOn(deps, workKeyOf(owner), turn);
  await deps.sendAgain({ organizationId, transcriptionId, correlationId, turnId });
  return { result: 'again' };
}

/**
 * Ends a turn during which its transcription has ended, or was deleted. If another one has taken the work over, its message found
 * this turn and did nothing, so it is sent again. If the work was removed, what the turn has written since is removed, too.
 */
async function leaveWork(deps: PrepareDependencies, key: WorkKey, turn: BegunTurn): Promise<PrepareOutcome> {
  const { transcriptions, works, files } = deps;
  const { organizationId, workId: transcriptionId } = key;
  const owner = await ownerOf(transcriptions, { organizationId, transcriptionId });
  if (isInProgress(owner) && owner.partCount === undefined) return goOnLater(deps, owner, turn);
  if (!owner || !(await works.find(key))) {
    await files.removeWork(key);
    await works.remove(key);
  } else await endTurn(deps, key, turn, false);
  return { result: 'nothing' };
}

async function refuse(
  deps: RefusalDependencies,
  record: TranscriptionRecord,
  code: FailureCode,
): Promise<PrepareOutcome> {
  return { result: (await refuseTranscription(deps, record, failure(code))) ? 'failed' : 'nothing' };
}

/** Corrects the count before the first job costs anything, and starts the first parts. */
async function finishPreparation(
  deps: PrepareDependencies,
  record: TranscriptionRecord,
  plan: WorkPlan,
): Promise<PrepareOutcome> {
  const { transcriptions, works, now = () => new Date() } = deps;
  const { partCount, recordedSeconds } = plan;
  const key = workKeyOf(record);
  const parts = await works.listParts(key);
  const wasCounted = record.workId !== undefined && (await works.find(key))?.isCounted;
  const counted = await correctCount(deps, record, secondsOfParts(record, plan, parts, wasCounted));
  if (counted === 'exceeded') return refuse(deps, record, 'too_many_minutes');
  if (counted === 'ended') return { result: 'nothing' };
  await works.markCounted(key);
  const facts = { partCount, recordedSeconds, submittedSeconds: submittedOfParts(parts) };
  const dueAt = deadlines.jobStart(now());
  const { applied } = await transcriptions.markPrepared(counted, { ...facts, dueAt });
  if (!applied) return { result: 'nothing' };
  await startParts(deps, counted, parts);
  return { result: 'prepared' };
}

/** Starts the parts whose turn it is. The end of each starts another one. Without a part that has a job, the work is merged at once. */
async function startParts(
  { partsAtOnce, sendJobs, sendMerge }: PrepareDependencies,
  record: TranscriptionRecord,
  parts: readonly TranscriptionPart[],
): Promise<void> {
  if (parts.every(hasEnded)) return sendMerge(workKeyOf(record));
  const messages = partsToStart(parts, partsAtOnce).map(({ part }) => startOf(record, part));
  if (messages.length > 0) await sendJobs(record.organizationId, messages);
}
