import { type Failure, transcriptFormats } from '../contracts/transcription.ts';
import { failure } from '../domain/failures.ts';
import { renderTranscript } from '../domain/render-transcript.ts';
import type { Transcript } from '../domain/transcript.ts';
import { generatedFileKey, generatedFilename, jobOutputKey } from '../domain/transcript-location.ts';
import {
  billableSeconds,
  isGone,
  isInProgress,
  isReady,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import { ServiceUnavailable } from '../errors.ts';
import type { TranscriptFileStore, TranscriptionJobs, TranscriptionStore } from './ports.ts';

/** Above the largest expected output: four hours of speech with speakers and alternatives are about 20 MB of JSON. */
const maxOutputBytes = 32 * 1024 * 1024;

/** What `finishTranscription` needs. */
export type FinishDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markReady' | 'markFailed'>;
  readonly files: Pick<TranscriptFileStore, 'read' | 'write' | 'removeGenerated'>;
  readonly jobs: Pick<TranscriptionJobs, 'remove'>;
  /** Parses the JSON that Transcribe wrote. Returns undefined if it does not have the expected form. */
  readonly parseOutput: (text: string) => Transcript | undefined;
};

/**
 * Ends a transcription whose job has ended: writes the files, then sets the state if the transcription is still in progress.
 * It is safe to repeat and to run concurrently. If another call has failed or deleted the transcription, it removes the files.
 * Returns the state that this call has set, or undefined if it has set none.
 */
export async function finishTranscription(
  deps: FinishDependencies,
  owner: TranscriptionKey,
  jobFailure: Failure | undefined,
): Promise<'ready' | 'failed' | undefined> {
  const stored = await deps.transcriptions.find(owner.organizationId, owner.transcriptionId);
  if (!isInProgress(stored)) {
    await cleanUp(deps, owner, stored);
    return undefined;
  }
  const result = jobFailure ?? (await readTranscript(deps, owner));
  const ended =
    'code' in result ? await deps.transcriptions.markFailed(stored, result) : await makeReady(deps, stored, result);
  const state = 'code' in result ? 'failed' : 'ready';
  await cleanUp(deps, owner, ended.applied ? { ...stored, state } : ended.stored);
  return ended.applied ? state : undefined;
}

async function readTranscript(
  { files, parseOutput }: FinishDependencies,
  owner: TranscriptionKey,
): Promise<Transcript | Failure> {
  const output = await files.read(jobOutputKey(owner), maxOutputBytes);
  if (output === 'missing')
    throw new ServiceUnavailable('Transcribe reports the job as completed, but its output does not exist.');
  const transcript = output === 'too-large' ? undefined : parseOutput(output.text);
  if (!transcript) return failure('engine_error');
  return transcript.turns.length === 0 ? failure('no_speech') : transcript;
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

/** Removes the files unless the transcription is ready. Removes the job if the transcription does not exist (any more). */
async function cleanUp(
  { files, jobs }: FinishDependencies,
  owner: TranscriptionKey,
  stored: StoredTranscription | undefined,
) {
  if (isReady(stored)) return;
  await files.removeGenerated(owner);
  if (isGone(stored)) await jobs.remove(owner.organizationId, owner.transcriptionId);
}
