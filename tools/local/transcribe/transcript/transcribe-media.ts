import { mkdtemp, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LanguageCode } from '@aws-sdk/client-transcribe';
import { JobFailure } from '../failure.ts';
import type { JobResult } from '../job.ts';
import { type DecodedMedia, decodeMedia } from '../media/decode.ts';
import { detectFormat, SIGNATURE_BYTES, settleFormat } from '../media/media-format.ts';
import type { MediaPrograms } from '../media/media-programs.ts';
import { type MediaStore, parseMediaUri } from '../media/media-store.ts';
import { identifies, type StartRequest } from '../start-request.ts';
import type { Vocabularies } from '../vocabularies/vocabulary.ts';
import type { Utterance } from './pocketsphinx-output.ts';
import { type Recognizer, recognize } from './recognizer.ts';
import { type Speech, secondsOf } from './spoken-words.ts';
import { writeTranscripts } from './write-transcripts.ts';

/** What a transcriber uses. A missing program fails the jobs, not the start. */
export type TranscriberDeps = {
  media: MediaStore;
  vocabularies: Vocabularies;
  recognizer: Recognizer | undefined;
  mediaPrograms: MediaPrograms | undefined;
  workFolder: string;
  account: string;
  isDiskFull?: () => boolean;
};

/**
 * Processes a job, from the recording to the transcript in S3. Throws a JobFailure if that fails, or ENOSPC if the disk is
 * full then.
 */
export type Transcriber = (request: StartRequest, signal: AbortSignal) => Promise<JobResult>;

/** Creates a transcriber that downloads, detects the format, decodes, recognizes and uploads. Leaves no file behind. */
export function createTranscriber(deps: TranscriberDeps): Transcriber {
  return async (request, signal) => {
    const { recognizer, mediaPrograms: programs } = deps;
    if (recognizer === undefined) throw new JobFailure('noRecognizer');
    if (programs === undefined) throw new JobFailure('noFfmpeg');
    const languageCode = chooseLanguage(request);
    const folder = await mkdtemp(join(deps.workFolder, 'job-'));
    try {
      const source = join(folder, 'media');
      await deps.media.download(request.Media.MediaFileUri, source, signal);
      const key = parseMediaUri(request.Media.MediaFileUri)?.key ?? '';
      const mediaFormat = settleFormat(detectFormat(await readHead(source)), request.MediaFormat, key);
      const splitChannels = request.Settings?.ChannelIdentification === true;
      const samples = join(folder, 'samples.raw');
      const decoded = await decodeMedia(source, mediaFormat, samples, { programs, signal, splitChannels });
      checkSampleRate(decoded.sampleRate, request.MediaSampleRateHertz);
      const speech = await recognizeChannels(recognizer, decoded, signal);
      // A language cannot be identified without speech. With a given language, silence is a valid transcript.
      if (speech.flat().length === 0 && identifies(request)) throw new JobFailure('noSpeech');
      const uris = await writeTranscripts(speech, request, languageCode, deps, signal);
      const spokenSeconds = secondsOf(speech.flat());
      return { languageCode, mediaFormat, ...uris, sampleRate: decoded.sampleRate, spokenSeconds };
    } catch (error) {
      if (!deps.isDiskFull?.()) throw error;
      throw Object.assign(new Error('The disk is full.', { cause: error }), { code: 'ENOSPC' }); // the media are not to blame
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** Recognizes one channel after the other: a job keeps one core busy. */
async function recognizeChannels(
  recognizer: Recognizer,
  { files }: DecodedMedia,
  signal: AbortSignal,
): Promise<Speech> {
  const channels: Utterance[][] = [];
  for (const file of files) channels.push(await recognize(recognizer, file, signal));
  return channels;
}

const isEnglish = (code: string): boolean => code.startsWith('en-');

/** The requested language, or the first English one of the options. */
function chooseLanguage({ LanguageCode: code, LanguageOptions: options }: StartRequest): LanguageCode {
  const language = code ?? (options === undefined ? LanguageCode.EN_US : options.find(isEnglish));
  if (language === undefined || !isEnglish(language)) throw new JobFailure('languageNotLocal');
  return language;
}

function checkSampleRate(detected: number, requested: number | undefined): void {
  if (requested !== undefined && detected !== requested) throw new JobFailure('sampleRateMismatch');
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES), 0, SIGNATURE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
