import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { corrected, type TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import { withoutSpeakers } from '#shared/domain/speakers/without-speakers.ts';
import type { Transcript } from '#shared/domain/transcript/transcript.ts';
import { renderTranscript, type TranscriptSubject } from '#shared/domain/transcriptions/render-transcript.ts';
import { generatedFileKey, wordsFileKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import type { TranscriptFileStore } from './ports.ts';
import type { SpeakerStore } from './speakers/ports.ts';

/** More than the words of the longest transcript take. */
const maxWordsBytes = 256 * 1024 * 1024;
const maxAttempts = 10;

/** What is rendered: what the heads of the files say, and the transcript with the speakers as the evidence names them. */
export type StoredWords = { readonly subject: TranscriptSubject; readonly transcript: Transcript };

/** What `writeTranscript` needs. */
export type WriteDependencies = {
  readonly speakers: Pick<SpeakerStore, 'find'>;
  readonly files: Pick<TranscriptFileStore, 'read' | 'write' | 'removeGenerated'>;
};

/** Writes the words of a transcript, from which its formats can be made again. */
export async function writeWords(
  files: Pick<TranscriptFileStore, 'write'>,
  key: TranscriptionKey,
  { subject, transcript }: StoredWords,
): Promise<void> {
  const { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds } = subject;
  const ofSubject = { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds };
  const body = JSON.stringify({ subject: ofSubject, transcript } satisfies StoredWords);
  await files.write(wordsFileKey(key), { body, contentType: 'application/json' });
}

/** Writes every format of a transcript. */
export async function writeFormats(
  files: Pick<TranscriptFileStore, 'write'>,
  key: TranscriptionKey,
  { subject, transcript }: StoredWords,
): Promise<void> {
  await Promise.all(
    transcriptFormats.map((format) =>
      files.write(generatedFileKey(key, format), renderTranscript(format, subject, transcript)),
    ),
  );
}

/**
 * Writes every format of a transcript again, with the corrections as they are after the last write. It is safe to repeat and to run
 * concurrently. Without a row of speakers the transcription was deleted, so its files are removed: call it only for one that had a row.
 * Files whose words have expired stay as they are.
 */
export async function writeTranscript({ speakers, files }: WriteDependencies, key: TranscriptionKey): Promise<void> {
  let row = await speakers.find(key);
  for (let attempt = 0; row && attempt < maxAttempts; attempt++) {
    const written: TranscriptSpeakers = row;
    const words = await readWords(files, key);
    if (words) await writeFormats(files, key, withCorrections(await knownWords(files, key, words, written), written));
    row = await speakers.find(key);
    if (row?.revision === written.revision) return;
  }
  if (row) throw new ServiceUnavailable('The speakers keep being changed.');
  await files.removeGenerated(key);
}

function withCorrections({ subject, transcript }: StoredWords, { corrections }: TranscriptSpeakers): StoredWords {
  return { subject, transcript: { ...transcript, speakers: corrected(transcript.speakers, corrections) } };
}

/**
 * The words of the speakers in the row. Only an erased person is not in the row: a late end of the transcription's work can have
 * written their words once more, so they are removed from the file first.
 */
async function knownWords(
  files: Pick<TranscriptFileStore, 'write'>,
  key: TranscriptionKey,
  words: StoredWords,
  row: TranscriptSpeakers,
): Promise<StoredWords> {
  const known = new Set(row.speakers.map(({ speaker }) => speaker));
  const erased = words.transcript.speakers.filter(({ speaker }) => !known.has(speaker));
  if (erased.length === 0) return words;
  const labels = new Set(erased.map(({ speaker }) => speaker));
  const participantIds = new Set(erased.flatMap(({ participantId }) => participantId ?? []));
  const kept = { ...words, transcript: withoutSpeakers(words.transcript, labels, { participantIds }) };
  await writeWords(files, key, kept);
  return kept;
}

/**
 * Reads the words of a transcript. They are written before the row of its speakers, and removed after it: if there is a row, and there are
 * none, they have expired.
 */
export async function readWords(
  files: Pick<TranscriptFileStore, 'read'>,
  key: TranscriptionKey,
): Promise<StoredWords | undefined> {
  const file = await files.read(wordsFileKey(key), maxWordsBytes);
  if (file === 'missing') return undefined;
  if (file === 'too-large') throw new ServiceUnavailable('The words of the transcript are too large.');
  return JSON.parse(file.text) as StoredWords;
}
