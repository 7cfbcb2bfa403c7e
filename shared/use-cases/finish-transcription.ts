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

/** Four hours of speech with speakers and alternatives are about 20 MB of Transcribe's JSON. */
const maxOutputBytes = 32 * 1024 * 1024;

/** The stores that finishing needs. */
export type FinishDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markReady' | 'markFailed'>;
  readonly files: Pick<TranscriptFileStore, 'read' | 'write' | 'removeGenerated'>;
  readonly jobs: Pick<TranscriptionJobs, 'remove'>;
  /** Reads the engine's output. Returns undefined if it is not such an output. */
  readonly parseOutput: (text: string) => Transcript | undefined;
};

/**
 * Ends a transcription whose job has ended: writes the files, then changes the state if it is still in progress. It may run
 * twice and at the same time. Removes files that a lost race or a deletion leaves without an owner. Returns the state that
 * this call has set, or undefined if it has set none.
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

/** Only a ready transcription keeps its files. Only a transcription that is not deleted keeps its job. */
async function cleanUp(
  { files, jobs }: FinishDependencies,
  owner: TranscriptionKey,
  stored: StoredTranscription | undefined,
) {
  if (isReady(stored)) return;
  await files.removeGenerated(owner);
  if (isGone(stored)) await jobs.remove(owner.organizationId, owner.transcriptionId);
}
