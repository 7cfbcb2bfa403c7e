import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { clientOf, codeOf } from '../../support/http/checked-api.ts';
import { organization, s3 } from '../../support/machine.ts';
import { silentAmr } from '../../support/media/amr.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  type RecordingFacts,
  shortWav,
} from '../../support/media/recordings.ts';
import { buildWav } from '../../support/media/wav.ts';
import { transcriptKeysWith } from '../../support/storage/storage.ts';
import { jobOf } from '../../support/transcriptions/transcribe-jobs.ts';

const silence = buildWav({ samples: Buffer.alloc(16_000 * 2 * 3) });

const failures: readonly (readonly [what: string, facts: RecordingFacts, code: string])[] = [
  ['that was never uploaded', {}, 'recording_missing'],
  ['with nothing in its file', { body: '' }, 'media_unreadable'],
  ['that is text under the name of a WAV', { body: 'Dear all, '.repeat(1000) }, 'unsupported_media'],
  ['cut off within its header', { body: shortWav.subarray(0, 30) }, 'media_unreadable'],
  ['shorter than half a second', { body: shortWav.subarray(0, 5_000) }, 'media_unreadable'],
  ['of a type that cannot be transcribed', { body: 'GIF89a', extension: 'gif' }, 'unsupported_media'],
  ['without speech', { body: silence }, 'no_speech'],
  ['of more than 24 hours', { body: silentAmr(24 * 3600 + 1), extension: 'amr' }, 'recording_too_long'],
];

describe.concurrent('the transcription of a recording', () => {
  it.each(failures)(
    '%s fails with an error code, stays readable, is not billed and has no link',
    async (_, facts, code) => {
      const acme = organization();
      const { recordingId } = await finishRecording(acme, facts);
      const { path, transcriptionId } = await createTranscription(acme, recordingId);

      const transcription = await ended(acme, path);

      expect(transcription).toMatchObject({
        state: 'failed',
        failure: { code, message: expect.stringMatching(/^[A-Z].+\.$/) },
        durationInSeconds: 0,
        filename: null,
      });
      const link = await clientOf(acme)('GET', `${path}/access-link`);
      expect([link.status, codeOf(link)]).toEqual([403, 'transcription_failed']);
      expect(await transcriptKeysWith(transcriptionId, `generated/${acme}/`)).toEqual([]);
    },
  );

  it('of eight hours, by its dates, succeeds if its file is short', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme, { body: shortWav, endDate: '2026-03-01T17:00:00.000Z' });
    const { path } = await createTranscription(acme, recordingId);

    expect(await ended(acme, path)).toMatchObject({ state: 'ready', durationInSeconds: 8 * 3600 });
  });

  it('starts no job if the recording is too long', async () => {
    const acme = organization();
    const body = silentAmr(24 * 3600 + 1);
    const { recordingId } = await finishRecording(acme, { body, extension: 'amr' });
    const { path, transcriptionId } = await createTranscription(acme, recordingId);
    await ended(acme, path);

    expect(await jobOf(acme, transcriptionId)).toBeUndefined();
  });

  it('succeeds on a new POST once the file exists, and the failed one stays', async () => {
    const acme = organization();
    const { recordingId, location } = await finishRecording(acme);
    const failed = await createTranscription(acme, recordingId);
    await ended(acme, failed.path);

    await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body: shortWav }));
    const retried = await createTranscription(acme, recordingId);

    expect(retried.path).not.toBe(failed.path);
    expect((await ended(acme, retried.path)).state).toBe('ready');
    expect((await ended(acme, failed.path)).state).toBe('failed');
  });
});
