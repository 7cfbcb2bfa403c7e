import type { FileLocation } from '#shared/contracts/events.ts';
import type { MediaPreparationMessage } from '#shared/contracts/messages.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { failureCodeOf } from '#shared/domain/media/media-failure.ts';
import { type MediaContainer, planMedia } from '#shared/domain/media/media-plan.ts';
import { busyPauseSeconds, deadlines, isDeniedForGood } from '#shared/domain/transcriptions/deadlines.ts';
import { failure, needsOperator } from '#shared/domain/transcriptions/failures.ts';
import { limitsOfMixedFile } from '#shared/domain/transcriptions/parts/plan-work.ts';
import { channelsNeeded } from '#shared/domain/transcriptions/parts/speakers-of-channels.ts';
import { correctedSeconds } from '#shared/domain/transcriptions/recognized-seconds.ts';
import {
  billableSeconds,
  isInProgress,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import type { MediaInspector } from '../media/ports.ts';
import { correctCount } from './correct-count.ts';
import type { CountCorrection, DueStore, TranscriptionJobs, TranscriptionStore } from './ports.ts';
import { type RefusalDependencies, refuseTranscription } from './refuse-transcription.ts';

/** A request to start a job: the message of the queue. `denials`: how many of the last attempts in a row AWS has denied. */
export type StartRequest = TranscriptionKey & {
  readonly attempt: number;
  readonly denials?: number | undefined;
  readonly correlationId?: string | undefined;
};

/** What waiting for Transcribe needs. */
export type WaitDependencies = {
  readonly due: Pick<DueStore, 'postpone'>;
  readonly sendAgain: (request: StartRequest, delaySeconds: number) => Promise<void>;
  readonly now?: () => Date;
  /** A number from 0 up to 1, for the jitter of waits. */
  readonly random?: () => number;
};

/** The stores, queues and clock that starting needs. */
export type StartDependencies = RefusalDependencies &
  WaitDependencies & {
    readonly transcriptions: Pick<TranscriptionStore, 'find' | 'abandon' | 'markJobStarted'>;
    readonly inspector: MediaInspector;
    readonly counts: CountCorrection;
    readonly jobs: Pick<TranscriptionJobs, 'start'>;
    /** The longest piece of a mixed file. A longer file is cut. */
    readonly pieceSeconds: number;
    readonly sendPreparation: (message: MediaPreparationMessage) => Promise<void>;
  };

/**
 * Result of a request to start. `taken-over`: the job of an earlier transcription serves this one. `preparing`: its media is prepared
 * first. `nothing`: the transcription does not exist, is no longer in progress, or has parts, so this call changed nothing.
 */
export type StartOutcome =
  | { readonly result: 'started'; readonly recordingSeconds: number }
  | { readonly result: 'taken-over' | 'preparing' | 'busy' | 'denied' | 'failed' | 'given-up' | 'nothing' };

/** What the look at a file decides. */
type Look =
  | { readonly kind: 'as_is'; readonly container: MediaContainer; readonly seconds: number }
  | { readonly kind: 'prepare' }
  | { readonly kind: 'refused'; readonly code: FailureCode };

/**
 * Starts the Transcribe job of a transcription that is in progress, if Transcribe takes its file as it is. Anything else goes to the queue
 * of prepare-media. A file that cannot be transcribed fails without a job, so it costs nothing. If Transcribe is busy, this function
 * sends a new request with a delay, so that waiting does not count as a failed delivery. It does so too for some minutes if AWS denies the
 * start, because a new permission takes a while to arrive. 24 hours after its creation, a transcription
 * that still waits fails.
 */
export async function startTranscription(deps: StartDependencies, request: StartRequest): Promise<StartOutcome> {
  const record = await deps.transcriptions.find(request.organizationId, request.transcriptionId);
  if (!isInProgress(record) || record.partCount !== undefined) return { result: 'nothing' };
  const { trackRevision, location, jobStartedAt } = record;
  if (trackRevision !== undefined) return prepareFirst(deps, record);
  if (!location) return { result: 'nothing' };
  // Once the job has started, Transcribe itself says what is wrong with the recording.
  if (jobStartedAt !== undefined) return startJob(deps, record, location, request, {});

  const look = await lookAt(deps, location, channelsNeeded(record.options));
  if (look.kind === 'prepare') return prepareFirst(deps, record);
  if (look.kind === 'refused') return fail(deps, record, look.code);
  const corrected = correctedSeconds(record, look.seconds);
  const counted = corrected === undefined ? record : await correctCount(deps, record, corrected);
  if (counted === 'exceeded') return fail(deps, record, 'too_many_minutes');
  if (counted === 'ended') return { result: 'nothing' };
  return startJob(deps, counted, location, request, look);
}

async function lookAt(
  { inspector, pieceSeconds }: StartDependencies,
  location: FileLocation,
  channels: number | undefined,
): Promise<Look> {
  const inspected = await inspector.inspect(location);
  if (inspected === 'unfinished') return { kind: 'prepare' };
  if ('refused' in inspected) return { kind: 'refused', code: inspected.refused };
  const plan = planMedia(inspected.facts, limitsOfMixedFile(pieceSeconds, channels));
  if (plan.kind === 'refused') return { kind: 'refused', code: failureCodeOf(plan.code) };
  return plan.kind === 'as_is' ? { ...plan, seconds: inspected.facts.seconds } : { kind: 'prepare' };
}

async function startJob(
  deps: StartDependencies,
  record: TranscriptionRecord,
  location: FileLocation,
  request: StartRequest,
  { container, seconds }: { readonly container?: MediaContainer; readonly seconds?: number },
): Promise<StartOutcome> {
  const { transcriptions, jobs, now = () => new Date() } = deps;
  const outcome = await jobs.start(record, location, container);
  if (outcome === 'busy' || outcome === 'denied')
    return waitForTranscribe(deps, record, request, outcome, (code) => fail(deps, record, code, 'given-up'));
  if (typeof outcome === 'object')
    return fail(deps, record, outcome.refused, needsOperator(outcome.refused) ? 'given-up' : 'failed');
  const recordedSeconds = seconds === undefined ? record.recordedSeconds : Math.round(seconds * 1000) / 1000;
  const recordingSeconds = recordedSeconds ?? billableSeconds(record.startDate, record.endDate ?? record.startDate);
  const facts = {
    jobStartedAt: now().toISOString(),
    dueAt: deadlines.jobEnd(now(), recordingSeconds),
    recordedSeconds,
  };
  // Stores nothing if the transcription has ended or was deleted meanwhile. The reconciler deletes the job of a deleted one later.
  await transcriptions.markJobStarted(record, facts);
  if (outcome === 'exists' && record.workId !== undefined) return { result: 'taken-over' };
  return { result: 'started', recordingSeconds };
}

async function prepareFirst(
  { sendPreparation, due, now = () => new Date() }: StartDependencies,
  record: TranscriptionRecord,
): Promise<StartOutcome> {
  const { organizationId, transcriptionId, correlationId } = record;
  await sendPreparation({ organizationId, transcriptionId, correlationId });
  await due.postpone(record, deadlines.preparation(now()));
  return { result: 'preparing' };
}

async function fail(
  deps: StartDependencies,
  record: TranscriptionRecord,
  code: FailureCode,
  result: 'failed' | 'given-up' = 'failed',
): Promise<StartOutcome> {
  return { result: (await refuseTranscription(deps, record, failure(code))) ? result : 'nothing' };
}

/** Sends a start again after a pause, or gives it up if it has waited or was denied too long. */
export async function waitForTranscribe<GivenUp>(
  { sendAgain, due, now = () => new Date(), random = Math.random }: WaitDependencies,
  record: TranscriptionRecord,
  request: StartRequest,
  why: 'busy' | 'denied',
  giveUp: (code: FailureCode) => Promise<GivenUp>,
): Promise<GivenUp | { readonly result: 'busy' | 'denied' }> {
  const { attempt, denials = 0 } = request;
  const isDenied = why === 'denied';
  if (deadlines.isGivenUp(record.createdAt, now(), false) || (isDenied && isDeniedForGood(denials)))
    return giveUp(isDenied ? 'engine_access_denied' : 'engine_error');
  const delaySeconds = busyPauseSeconds(attempt, random());
  await sendAgain({ ...request, attempt: attempt + 1, denials: isDenied ? denials + 1 : undefined }, delaySeconds);
  // Otherwise the reconciler would send it a second time. Another part of the same transcription may be due later.
  const dueAt = deadlines.jobStartAfterPause(now(), delaySeconds);
  if ((record.dueAt ?? '') < dueAt) await due.postpone(record, dueAt);
  return { result: why };
}
