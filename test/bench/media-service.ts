import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { cut, mixedFileLimits } from '#shared/domain/media-plan.ts';
import { memoryFile } from '../support/media-files.ts';
import { withDistantDynamoDb } from './distant-dynamodb.ts';
import { type MediaRunner, withMediaRunner } from './media-runner.ts';
import { makeSpeech } from './media-samples.ts';
import { diskFile } from './media-server.ts';
import { meetingTracks } from './media-tracks.ts';
import { median } from './quantiles.ts';
import type { Finding } from './report.ts';

/** Recognition at a tenth of real time. */
const recognized = 0.1;
/** It is simulated sixty times faster, and its real time is computed. */
const simulated = recognized / 60;
const plainSeconds = 31;
const plainSamples = 15;
const sample = new URL('../../tools/local/sample/recording.wav', import.meta.url);
const coding = ['-c:a', 'aac', '-ar', '48000', '-b:a', '96k'];

/** What the setup says about these findings. */
export const serviceSetup =
  'Times from create to ready are those of a local runner, which runs the whole service. Its Transcribe is simulated: it downloads each file, ' +
  'waits for a 600th of its length, and hears 150 words a minute. A tenth of the length of the longest piece replaces that wait, because ' +
  'pieces are recognized side by side.';

/** Measures whole transcriptions: their time, what they submit, and what a plain recording costs. `folder` is for large files. */
export async function serviceFindings(folder: string): Promise<Finding[]> {
  const long = await withMediaRunner({ share: simulated }, async ({ transcribe }) => {
    const findings: Finding[] = [];
    for (const hours of [1, 4]) {
      const path = await makeSpeech({ file: 'long.mkv', hours, coding }, folder);
      const media = await diskFile(path);
      findings.push(lengthFinding(hours, await transcribe(`bench-${randomUUID()}`, [{ media }], hours * 3600)));
      await media.close();
      await rm(path);
    }
    for (const codec of ['opus', 'pcm-s16'] as const) findings.push(await tracksFinding(codec, transcribe));
    return findings;
  });
  return [...long, ...(await plainFindings())];
}

type Ready = Awaited<ReturnType<MediaRunner['transcribe']>>;

function lengthFinding(hours: number, { seconds, transcription }: Ready): Finding {
  const { pieceSeconds, overlapSeconds } = mixedFileLimits;
  // Repeated speech is some milliseconds longer, so four hours are two pieces.
  const pieces = cut(transcription.recordedSeconds ?? hours * 3600, pieceSeconds, overlapSeconds);
  const longest = Math.max(...pieces.map(({ from, to }) => to - from));
  const others = seconds - longest * simulated;
  return {
    goal: `time from create to ready of ${hours} h of AAC in MKV, with recognition at a tenth of real time`,
    figure: `${((longest * recognized + others) / 60).toFixed(1)} min`,
    spread: `recognition of ${pieces.length} pieces side by side ${((longest * recognized) / 60).toFixed(1)} min, everything else ${others.toFixed(1)} s`,
  };
}

async function tracksFinding(codec: 'opus' | 'pcm-s16', transcribe: MediaRunner['transcribe']): Promise<Finding> {
  const length = 1200;
  const { tracks, speechSeconds, recordedSeconds } = await meetingTracks(codec, 5, length, 1);
  const files = tracks.map((media, index) => ({ media, participantId: `person-${index}` }));
  const { seconds, transcription } = await transcribe(`bench-${randomUUID()}`, files, length);
  const submitted = transcription.submittedSeconds ?? Number.POSITIVE_INFINITY;
  return {
    goal: `seconds submitted by the service for five tracks of ${codec === 'opus' ? 'Opus with DTX' : 'PCM'}: at most 1.25 times their speech`,
    figure: `${(submitted / speechSeconds).toFixed(2)} times`,
    spread: `${submitted.toFixed(0)} s of ${recordedSeconds} s, with ${speechSeconds.toFixed(0)} s of speech, ready after ${seconds.toFixed(1)} s`,
    isMet: submitted <= 1.25 * speechSeconds,
  };
}

/** What the same recording took before recordings had parts, notices, speakers and usage, by this measurement. */
const before = { units: 86, reads: 3 };

/** A recording of 31 seconds that Transcribe takes as it is. Its job takes no time, so that the service's own time shows. */
async function plainFindings(): Promise<Finding[]> {
  const media = memoryFile(await readFile(sample));
  return withDistantDynamoDb(0, ({ url, count }) =>
    withMediaRunner({ share: 0, dynamodbUrl: url }, async ({ transcribe, objectReads }) => {
      await transcribe('bench-first', [{ media }], plainSeconds); // starts the functions
      const times: number[] = [];
      const units: number[] = [];
      const reads: number[] = [];
      for (let index = 0; index < plainSamples; index++) {
        const organization = `bench-${randomUUID()}`;
        const consumed = count(organization);
        times.push((await transcribe(organization, [{ media }], plainSeconds)).seconds);
        units.push(consumed.writes);
        reads.push(objectReads(organization));
      }
      return [
        {
          goal: 'time from create to ready of 31 s of WAV, with a recognizer that takes no time',
          figure: `${(1000 * median(times)).toFixed(0)} ms`,
          spread: `median of ${plainSamples}, ${(1000 * Math.min(...times)).toFixed(0)} to ${(1000 * Math.max(...times)).toFixed(0)} ms`,
        },
        {
          goal: 'write units of 31 s of WAV, from its event until it is ready',
          figure: String(Math.min(...units)),
          spread:
            `the fewest of ${plainSamples}, because each call that waits counts points; at most ${Math.max(...units)}; ` +
            `${before.units} before parts, notices, speakers and usage`,
        },
        {
          goal: `reads of S3 of 31 s of WAV, with the one of Transcribe: at most 3 more than ${before.reads}`,
          figure: String(median(reads)),
          isMet: Math.max(...reads) <= before.reads + 3,
          spread: `${Math.min(...reads)} to ${Math.max(...reads)}`,
        },
      ];
    }),
  );
}
