import { type Failure, transcriptFormats } from '../contracts/transcription.ts';
import { deadlines } from '../domain/deadlines.ts';
import { failure } from '../domain/failures.ts';
import { renderTranscript } from '../domain/render-transcript.ts';
import type { Transcript } from '../domain/transcript.ts';
import { generatedFileKey, generatedFilename, jobOutputKey } from '../domain/transcript-location.ts';
import {
  billableSeconds,
  isDeleted,
  isGone,
  isInProgress,
  isReady,
  type StoredTranscription,
  type Tombstone,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import type { WorkOwner } from '../domain/work.ts';
import { ServiceUnavailable } from '../errors.ts';
import type { DueStore, TranscriptFileStore, TranscriptionJobs, TranscriptionStore } from './ports.ts';

/** Above the largest expected output: four hours of speech with speakers and alternatives are about 20 MB of JSON. */
const maxOutputBytes = 32 * 1024 * 1024;

/** How often a transcription may be deleted, and its work be taken over, while one call ends it. */
const maxOwners = 5;

/** What `finishTranscription` needs. */
export type FinishDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markReady' | 'markFailed' | 'withdrawWork'>;
  readonly due: Pick<DueStore, 'postpone'>;
  readonly files: Pick<TranscriptFileStore, 'read' | 'write' | 'removeGenerated'>;
  readonly jobs: Pick<TranscriptionJobs, 'remove'>;
  /** Parses the JSON that Transcribe wrote. Returns undefined if it does not have the expected form. */
  readonly parseOutput: (text: string) => Transcript | undefined;
  readonly now?: () => Date;
};

/** The transcription that a job's end has ended, and its new state. `undefined`: the call has ended none. */
export type Finished = { readonly transcriptionId: string; readonly state: 'ready' | 'failed' } | undefined;

/**
 * Ends the transcription whose job has ended: writes the files, then sets the state if the transcription is still in progress.
 * It is safe to repeat and to run concurrently. If another call has failed or deleted the transcription, it removes the files. If
 * it was deleted and a new one has taken over its work, the new one is ended.
 */
export async function finishTranscription(
  deps: FinishDependencies,
  work: TranscriptionKey,
  jobFailure: Failure | undefined,
): Promise<Finished> {
  for (let owners = 0; owners < maxOwners; owners++) {
    const owner = await ownerOf(deps.transcriptions, work);
    const finished = await finishFor(deps, work, owner, jobFailure);
    if (finished !== 'taken-over') return finished;
  }
  throw new ServiceUnavailable('The transcription keeps being deleted and created again.');
}

/** The transcription that owns the work, or the tombstone of the last one that did. */
async function ownerOf(
  transcriptions: Pick<TranscriptionStore, 'find'>,
  { organizationId, transcriptionId }: TranscriptionKey,
): Promise<StoredTranscription | undefined> {
  const stored = await transcriptions.find(organizationId, transcriptionId);
  if (!stored || !isDeleted(stored) || stored.takenOverBy === undefined) return stored;
  return ownerOf(transcriptions, { organizationId, transcriptionId: stored.takenOverBy });
}

async function finishFor(
  deps: FinishDependencies,
  work: TranscriptionKey,
  owner: StoredTranscription | undefined,
  jobFailure: Failure | undefined,
): Promise<Finished | 'taken-over'> {
  if (!isInProgress(owner)) return cleanUp(deps, work, owner ?? work, owner);
  const result = jobFailure ?? (await readTranscript(deps, work));
  if (result === 'missing') return startAgain(deps, work, owner);
  const [ended, state] =
    'code' in result
      ? ([await deps.transcriptions.markFailed(owner, result), 'failed'] as const)
      : ([await makeReady(deps, owner, result), 'ready'] as const);
  if (!ended.applied) return cleanUp(deps, work, owner, ended.stored);
  await cleanUp(deps, work, owner, { ...owner, state });
  return { transcriptionId: owner.transcriptionId, state };
}

async function readTranscript(
  { files, parseOutput }: FinishDependencies,
  work: TranscriptionKey,
): Promise<Transcript | Failure | 'missing'> {
  const output = await files.read(jobOutputKey(work), maxOutputBytes);
  if (output === 'missing') return output;
  const transcript = output === 'too-large' ? undefined : parseOutput(output.text);
  if (!transcript) return failure('engine_error');
  return transcript.turns.length === 0 ? failure('no_speech') : transcript;
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

async function makeReady(
  { files, transcriptions }: FinishDependencies,
  record: TranscriptionRecord,
  transcript: Transcript,
) {
  const durationInSeconds = billableSeconds(record.startDate, record.endDate ?? record.startDate);
  const subject = { ...record, durationInSeconds };
  await Promise.all(
    transcriptFormats.map((format) =>
      files.write(generatedFileKey(record, format), renderTranscript(format, subject, transcript)),
    ),
  );
  return transcriptions.markReady(record, { filename: generatedFilename(record, 'md'), durationInSeconds });
}

/**
 * Removes the files unless the owner is ready, and the output of a work that it has taken over in any case. Removes the job if the owner
 * does not exist (any more) and no worker can start the job again. Otherwise the reconciler does that. If a new transcription has taken
 * over the work, only the owner's own files are removed.
 */
async function cleanUp(
  { transcriptions, files, jobs, now = () => new Date() }: FinishDependencies,
  work: TranscriptionKey,
  owner: WorkOwner,
  stored: StoredTranscription | undefined,
): Promise<undefined | 'taken-over'> {
  const { organizationId, transcriptionId } = owner;
  const beganWork = transcriptionId === work.transcriptionId;
  if (isReady(stored)) {
    if (!beganWork) await files.removeGenerated(work);
    return undefined;
  }
  if (stored && isDeleted(stored) && !(await transcriptions.withdrawWork(stored))) {
    if (!beganWork) await files.removeGenerated({ organizationId, transcriptionId });
    return 'taken-over';
  }
  await files.removeGenerated(owner);
  if (isGone(stored) && !mayBeStarting(stored, now())) await jobs.remove(work);
  return undefined;
}

/** True if a worker may be starting the job of a deleted transcription: it would start a second one if the first were removed now. */
function mayBeStarting(stored: Tombstone | undefined, now: Date): boolean {
  if (stored?.dueAt === undefined) return false;
  return now.toISOString() < deadlines.leftJob(new Date(stored.deletedAt));
}
