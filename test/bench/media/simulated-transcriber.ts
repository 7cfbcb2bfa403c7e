import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { outputKeyOf } from '#tools/local/transcribe/job.ts';
import type { MediaStore } from '#tools/local/transcribe/media/media-store.ts';
import type { HeardWord } from '#tools/local/transcribe/transcript/pocketsphinx-output.ts';
import type { Transcriber } from '#tools/local/transcribe/transcript/transcribe-media.ts';
import { buildTranscriptDocument } from '#tools/local/transcribe/transcript/transcript-document.ts';

const run = promisify(execFile);
const wordsInSentence = 10;
const secondsPerSentence = 4;

/**
 * A recognizer that hears 150 words a minute in any file. It takes `share` of a second for each second of the file, and tells `onJob` how many
 * there are.
 */
export function simulatedTranscriber(
  media: MediaStore,
  folder: string,
  share: number,
  onJob: (seconds: number) => void,
): Transcriber {
  return async (request, signal) => {
    const file = path.join(folder, randomUUID());
    await media.download(request.Media.MediaFileUri, file, signal);
    const seconds = await secondsOf(file);
    await rm(file);
    onJob(seconds);
    await delay(seconds * share * 1000, undefined, { signal });
    const document = buildTranscriptDocument([sentences(seconds)], {
      jobName: request.TranscriptionJobName,
      accountId: '000000000000',
      identifiedLanguage: 'en-US',
      showSpeakerLabels: true,
    });
    const [bucket, key] = [request.OutputBucketName ?? '', outputKeyOf(request)];
    const transcriptUri = await media.upload(bucket, key, JSON.stringify(document), signal);
    return { languageCode: 'en-US', mediaFormat: request.MediaFormat ?? 'wav', transcriptUri };
  };
}

async function secondsOf(file: string): Promise<number> {
  const { stdout } = await run('ffprobe', ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file]);
  return Number(stdout);
}

function sentences(seconds: number): HeardWord[][] {
  return Array.from({ length: Math.floor(seconds / secondsPerSentence) }, (_, sentence) =>
    Array.from({ length: wordsInSentence }, (_unused, index) => {
      const startSeconds = sentence * secondsPerSentence + index * 0.35;
      return {
        text: `word${(sentence * 7 + index) % 1000}`,
        startSeconds,
        endSeconds: startSeconds + 0.3,
        confidence: 0.9,
      };
    }),
  );
}
