import type { OrganizationId } from '../contracts/organization.ts';
import { type Failure, transcriptFormats } from '../contracts/transcription.ts';
import { failure } from '../domain/failures.ts';
import { renderTranscript, type TranscriptFile } from '../domain/render-transcript.ts';
import type { Transcript } from '../domain/transcript.ts';
import { generatedFileKey, generatedFilename, jobOutputKey } from '../domain/transcript-location.ts';
import {
  billableSeconds,
  type Conditional,
  isGone,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../domain/transcription.ts';
import { ServiceUnavailable } from '../errors.ts';

/** Four hours of speech with speakers and alternatives are about 20 MB of Transcribe's JSON. */
const maxOutputBytes = 32 * 1024 * 1024;

/** What finishing needs of the outside. */
export type FinishDependencies = {
  readonly transcriptions: {
    find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
    markReady(
      record: TranscriptionRecord,
      facts: Pick<TranscriptionRecord, 'filename' | 'durationInSeconds'>,
    ): Promise<Conditional>;
    markFailed(record: TranscriptionRecord, failure: Failure): Promise<Conditional>;
  };
  readonly files: {
    read(key: string, maxBytes: number): Promise<{ readonly text: string } | 'missing' | 'too-large'>;
    write(key: string, file: TranscriptFile): Promise<void>;
    removeGenerated(owner: TranscriptionKey): Promise<void>;
  };
  readonly jobs: { remove(organizationId: OrganizationId, transcriptionId: string): Promise<unknown> };
  /** Reads the engine's output; undefined where it is no such thing. */
  readonly parseOutput: (text: string) => Transcript | undefined;
};

/**
 * Brings a transcription whose job has ended to its own end: files first, then the state, under the condition that it is
 * still in progress. May run twice and at once. What a lost race or a deletion leaves without an owner is removed.
 * Returns the state that this call brought it to; undefined where it was another's doing.
 */
export async function finishTranscription(
  deps: FinishDependencies,
  owner: TranscriptionKey,
  jobFailure: Failure | undefined,
): Promise<'ready' | 'failed' | undefined> {
  const stored = await deps.transcriptions.find(owner.organizationId, owner.transcriptionId);
  if (isGone(stored) || stored.state !== 'in_progress') {
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
    throw new ServiceUnavailable('The job is said to be completed, but its output is not there.');
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

/** Only a ready transcription keeps files; only one that was not deleted keeps its job. */
async function cleanUp(
  { files, jobs }: FinishDependencies,
  owner: TranscriptionKey,
  stored: StoredTranscription | undefined,
) {
  if (!isGone(stored) && stored.state === 'ready') return;
  await files.removeGenerated(owner);
  if (isGone(stored)) await jobs.remove(owner.organizationId, owner.transcriptionId);
}
