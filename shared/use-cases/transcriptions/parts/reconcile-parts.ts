import type { TranscriptionJobMessage, TranscriptionMergeMessage } from '#shared/contracts/messages.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import {
  hasEnded,
  partsToStart,
  type TranscriptionPart,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { JobOwner } from '#shared/domain/transcriptions/parts/work.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { isDenial } from '#shared/domain/transcriptions/transcription-job.ts';
import type { TranscriptionJobs } from '#shared/use-cases/transcriptions/ports.ts';
import { startOf } from './part-turns.ts';

/** Transcribe answers 20 questions a second. The other parts are asked for in a later run. */
const mostQuestions = 25;

/** What checking parts needs. */
export type PartsDependencies = {
  readonly jobs: Pick<TranscriptionJobs, 'state'>;
  readonly partsAtOnce: number;
  readonly sendJobs: (organizationId: OrganizationId, messages: readonly TranscriptionJobMessage[]) => Promise<void>;
  readonly sendResult: (owner: JobOwner, result: 'completed' | { readonly failureReason: string }) => Promise<void>;
  readonly sendMerge: (message: TranscriptionMergeMessage) => Promise<void>;
  readonly now?: () => Date;
};

/** True if every part of a transcription has ended. */
export function haveAllEnded({ partCount }: TranscriptionRecord, parts: readonly TranscriptionPart[]): boolean {
  return parts.length > 0 && parts.length === partCount && parts.every(hasEnded);
}

/**
 * Sends again what a transcription in parts waits for: the starts of waiting parts whose turn it is, the ends of jobs that are overdue,
 * or the merge. Returns what it has sent.
 */
export async function healParts(
  deps: PartsDependencies,
  record: TranscriptionRecord,
  parts: readonly TranscriptionPart[],
): Promise<'sent-again' | 'result-sent' | 'postponed'> {
  const [first] = parts;
  if (first && haveAllEnded(record, parts)) {
    await deps.sendMerge({ organizationId: first.organizationId, workId: first.workId });
    return 'sent-again';
  }
  const waiting = partsToStart(parts, deps.partsAtOnce).map(({ part }) => startOf(record, part));
  if (waiting.length > 0) await deps.sendJobs(record.organizationId, waiting);
  const results = await sendEnds(deps, record, parts);
  if (waiting.length > 0) return 'sent-again';
  return results > 0 ? 'result-sent' : 'postponed';
}

/** Sends the ends of jobs that should have ended. A job that does not exist any more has failed. Returns how many it has sent. */
async function sendEnds(
  { jobs, sendResult, now = () => new Date() }: PartsDependencies,
  record: TranscriptionRecord,
  parts: readonly TranscriptionPart[],
): Promise<number> {
  let sent = 0;
  for (const { part } of overdueAt(now(), parts).slice(0, mostQuestions)) {
    const owner = { ...record, part };
    const state = await jobs.state(owner);
    if (state === 'running' || isDenial(state)) continue;
    await sendResult(owner, state === 'absent' ? { failureReason: '' } : state);
    sent += 1;
  }
  return sent;
}

/** The code with which a transcription in parts is given up: that of the engine, if it answers for no part. */
export async function failureOfParts(
  { jobs }: Pick<PartsDependencies, 'jobs'>,
  record: TranscriptionRecord,
  parts: readonly TranscriptionPart[],
): Promise<FailureCode> {
  let code: FailureCode = 'engine_error';
  for (const { part } of parts.filter((one) => !hasEnded(one)).slice(0, mostQuestions)) {
    const state = await jobs.state({ ...record, part });
    if (!isDenial(state)) return 'engine_error';
    code = state.denied;
  }
  return code;
}

/** The running parts whose jobs should have ended, the longest overdue first. */
function overdueAt(now: Date, parts: readonly TranscriptionPart[]): TranscriptionPart[] {
  return parts
    .flatMap((part) => {
      if (part.state !== 'running' || part.jobStartedAt === undefined) return [];
      return [{ part, endsBy: deadlines.jobEnd(new Date(part.jobStartedAt), part.submittedSeconds) }];
    })
    .filter(({ endsBy }) => endsBy < now.toISOString())
    .sort((one, other) => (one.endsBy < other.endsBy ? -1 : 1))
    .map(({ part }) => part);
}

/** The parts of a work that can have a job which was not removed at its end: it runs, its end was lost, or its start was not stored. */
export function partsWithJob(parts: readonly TranscriptionPart[], partsAtOnce: number): TranscriptionPart[] {
  const isUnstored = (part: TranscriptionPart) => hasEnded(part) && part.file && part.jobStartedAt === undefined;
  return [...parts.filter((part) => part.state === 'running' || isUnstored(part)), ...partsToStart(parts, partsAtOnce)];
}
