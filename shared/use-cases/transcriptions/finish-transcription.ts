import type { Failure } from '#shared/contracts/transcriptions/transcription.ts';
import { nameMixed, type SpeakerEvidence } from '#shared/domain/speakers/name-mixed.ts';
import { languagesOf } from '#shared/domain/transcript/languages.ts';
import { toTurns } from '#shared/domain/transcript/transcript.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import { isApproximate } from '#shared/domain/transcriptions/parts/plan-work.ts';
import { haveChannels, speakersOfChannels } from '#shared/domain/transcriptions/parts/speakers-of-channels.ts';
import { billedOfJob } from '#shared/domain/transcriptions/recognized-seconds.ts';
import { jobOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import {
  isGone,
  type StoredTranscription,
  type Tombstone,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { type EvidenceDependencies, readEvidence } from '../speakers/read-evidence.ts';
import { type EndDependencies, endWork, type Finished, type WorkResult } from './end-work.ts';
import { type OutputDependencies, readOutput } from './engine-output.ts';
import type { DueStore, TranscriptionJobs } from './ports.ts';

/** What `finishTranscription` needs. */
export type FinishDependencies = EndDependencies &
  OutputDependencies &
  EvidenceDependencies & {
    readonly due: Pick<DueStore, 'postpone'>;
    readonly jobs: Pick<TranscriptionJobs, 'remove'>;
  };

/** Ends the transcription whose only job has ended. It is safe to repeat and to run concurrently. */
export function finishTranscription(
  deps: FinishDependencies,
  work: TranscriptionKey,
  jobFailure: Failure | undefined,
): Promise<Finished> {
  return endWork(deps, {
    key: work,
    read: async (owner) => {
      const result = jobFailure ?? (await readTranscript(deps, work, owner));
      return result === 'missing' ? startAgain(deps, work, owner) : result;
    },
    remove: (owner) => removeJob(deps, work, owner),
  });
}

async function readTranscript(
  deps: FinishDependencies,
  work: TranscriptionKey,
  owner: TranscriptionRecord,
): Promise<WorkResult | Failure | 'missing'> {
  const spoken = await readOutput(deps, jobOutputKey(work), owner.options);
  if (spoken === 'missing') return spoken;
  if (spoken === 'unreadable') return failure('engine_error');
  const { items } = spoken;
  const languages = languagesOf([spoken]);
  const { languageCode } = languages;
  const turns = toTurns(items, languageCode);
  if (turns.length === 0) return failure('no_speech');
  const evidence = await evidenceOf(deps, owner);
  const transcribedSeconds = billedOfJob(owner);
  const channels = owner.options?.channels;
  if (channels && haveChannels(items)) {
    const pieces = [{ from: 0, to: Number.POSITIVE_INFINITY, items }];
    const { people } = evidence;
    const named = speakersOfChannels(pieces, { channels, languageCode }, people);
    return { transcript: { ...languages, ...named }, transcribedSeconds };
  }
  return { transcript: { ...languages, turns, speakers: nameMixed(items, turns, evidence) }, transcribedSeconds };
}

/** The times of the words are exact if the recording is as long as its dates say. */
function evidenceOf(deps: FinishDependencies, owner: TranscriptionRecord): Promise<SpeakerEvidence> {
  const { startDate: clockStart, endDate, recordedSeconds } = owner;
  const isExact = recordedSeconds !== undefined && !isApproximate(recordedSeconds, clockStart, endDate);
  return readEvidence(deps, owner, { clockStart, seconds: isExact ? recordedSeconds : undefined });
}

/**
 * The output of a work that was taken over is missing if the job ended just before its earlier owner was deleted, with all files.
 * Then the job is removed, and the reconciler soon has a new one started. If the job cannot be removed, it runs already, or the
 * reconciler sends its end again. The output of any other job exists, so another attempt may find it.
 */
async function startAgain(
  { jobs, due, now = () => new Date() }: FinishDependencies,
  work: TranscriptionKey,
  owner: TranscriptionRecord,
): Promise<undefined> {
  if (owner.transcriptionId === work.transcriptionId)
    throw new ServiceUnavailable('Transcribe reports the job as completed, but its output does not exist.');
  if ((await jobs.remove(work)) === 'removed') await due.postpone(owner, now().toISOString());
}

/**
 * Removes the job if its owner does not exist (any more) and no worker can start the job again. Otherwise the reconciler does
 * that.
 */
async function removeJob(
  { jobs, now = () => new Date() }: FinishDependencies,
  work: TranscriptionKey,
  owner: StoredTranscription | undefined,
): Promise<void> {
  if (isGone(owner) && !mayBeStarting(owner, now())) await jobs.remove(work);
}

/** True if a worker may be starting the job of a deleted transcription: it would start a second one if the first were removed now. */
function mayBeStarting(stored: Tombstone | undefined, now: Date): boolean {
  if (stored?.dueAt === undefined) return false;
  return now.toISOString() < deadlines.leftJob(new Date(stored.deletedAt));
}
