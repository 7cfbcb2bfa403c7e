import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { TranscriptFile } from '../../domain/render-transcript.ts';
import { generatedFolder } from '../../domain/transcript-location.ts';
import type { TranscriptionKey, TranscriptionRecord } from '../../domain/transcription.ts';
import { removeAllBelow, removeKeys } from './remove-keys.ts';

/** The transcripts bucket. */
export function transcriptFiles(s3: S3Client, bucket: string) {
  const removeFolder = (owner: TranscriptionKey) => removeAllBelow(s3, bucket, generatedFolder(owner));

  return {
    /** Writes one rendered transcript; writing it again is harmless. */
    async write(key: string, { body, contentType }: TranscriptFile): Promise<void> {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: contentType }));
    },

    /** The text of an object, 'missing', or 'too-large' (then nothing of it was read). */
    async read(key: string, maxBytes: number): Promise<{ readonly text: string } | 'missing' | 'too-large'> {
      try {
        const { Body, ContentLength } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        if (ContentLength === undefined || ContentLength > maxBytes) {
          (Body as { destroy?: () => void } | undefined)?.destroy?.();
          return 'too-large';
        }
        return { text: (await Body?.transformToString('utf-8')) ?? '' };
      } catch (error) {
        if (error instanceof NoSuchKey) return 'missing';
        throw error;
      }
    },

    /** Removes every file made for one transcription, Transcribe's own output included. */
    async removeGenerated(owner: TranscriptionKey): Promise<void> {
      await removeFolder(owner);
    },

    /** Removes all of a transcription's files that this service keeps; a customer's own bucket is never touched. */
    async removeAllOf(record: TranscriptionRecord): Promise<void> {
      if (record.type === 'RECORDING_TRANSCRIPTION') await removeFolder(record);
      else if (record.location?.bucket === bucket) await removeKeys(s3, bucket, [record.location.key]);
    },
  };
}
