import type { TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import {
  labelsOf,
  type RemovedPerson,
  rowWithoutSpeakers,
  withoutSpeakers,
} from '#shared/domain/speakers/without-speakers.ts';
import { jobOutputKey, redactedKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import type { TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import type { SpeakerChanges } from '#shared/use-cases/transcriptions/speakers/ports.ts';
import { readWords, type WriteDependencies, writeTranscript, writeWords } from '../write-transcript.ts';

const maxAttempts = 10;
const maxPauseMs = 200;

/** What `forgetSpeakers` needs. */
export type ForgetDependencies = WriteDependencies & {
  readonly changes: SpeakerChanges;
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  /** Removes files of the transcripts bucket. */
  readonly removeFiles: (keys: readonly string[]) => Promise<void>;
};

/**
 * Removes what a person says in a transcript, and their names, from every file and from the row of the speakers. Returns the number of
 * turns. The row leads to all of it, so it changes last: after a crash, it can run again. `isMissing` is true if the transcript lacks
 * something of the person, which the caller changes in the transcription afterwards. If the words have expired, what else is left of the
 * transcript is removed: nothing tells the turns apart any more.
 */
export async function forgetSpeakers(
  deps: ForgetDependencies,
  key: TranscriptionKey,
  person: RemovedPerson,
  isMissing = false,
): Promise<number> {
  let turns = 0;
  // Meanwhile, somebody can correct another speaker to this person.
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const row = await deps.speakers.find(key);
    const named = row && labelsOf(row, person);
    if (!named || (named.size === 0 && !(isMissing && attempt === 0))) return turns;
    turns += await forgetNamed(deps, key, person, named);
  }
  throw new ServiceUnavailable('The speakers keep being changed.');
}

async function forgetNamed(
  deps: ForgetDependencies,
  key: TranscriptionKey,
  person: RemovedPerson,
  named: ReadonlySet<string>,
): Promise<number> {
  const { files, removeFiles } = deps;
  const words = await readWords(files, key);
  if (!words) {
    await files.removeGenerated(key);
    return 0;
  }
  const labels = new Set([...named, ...labelsOf({ ...words.transcript, corrections: {} }, person)]);
  const transcript = withoutSpeakers(words.transcript, labels, person);
  await removeFiles([jobOutputKey(key), redactedKey(jobOutputKey(key))]);
  await writeWords(files, key, { ...words, transcript });
  // A writer that still has the words sees this change, and writes again.
  await changeRow(deps, key, (stored) => stored);
  await writeTranscript(deps, key);
  await changeRow(deps, key, (stored) => rowWithoutSpeakers(stored, labels, transcript));
  return words.transcript.turns.length - transcript.turns.length;
}

async function changeRow(
  { speakers, changes, transcriptions }: ForgetDependencies,
  key: TranscriptionKey,
  changed: (stored: TranscriptSpeakers) => Pick<TranscriptSpeakers, 'speakers' | 'corrections'>,
): Promise<void> {
  const attempt = async () => {
    const transcription = await transcriptions.find(key.organizationId, key.transcriptionId);
    const row = await speakers.find(key);
    if (!row) return undefined; // the transcription was deleted meanwhile
    return (await changes.change(key, { row, transcription }, changed(row))) ? undefined : tryAgain;
  };
  await retry(attempt, { maxAttempts, maxPauseMs: () => maxPauseMs, exhausted: 'The speakers keep being changed.' });
}
