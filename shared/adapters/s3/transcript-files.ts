import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { TranscriptFile } from '../../domain/render-transcript.ts';
import { generatedFolder } from '../../domain/transcript-location.ts';
import type { TranscriptionKey, TranscriptionRecord } from '../../domain/transcription.ts';
import { removeAllBelow, removeKeys } from './remove-keys.ts';

/** The files in the transcripts bucket. */
export function transcriptFiles(s3: S3Client, bucket: string) {
  const removeFolder = (owner: TranscriptionKey) => removeAllBelow(s3, bucket, generatedFolder(owner));

  return {
    /** Writes one rendered transcript. The write is idempotent. */
    async write(key: string, { body, contentType }: TranscriptFile): Promise<void> {
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: contentType }));
    },

    /** Returns the text of an object, 'missing', or 'too-large' without reading it. */
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

    /** Removes every file generated for one transcription, including the output of Transcribe. */
    async removeGenerated(owner: TranscriptionKey): Promise<void> {
      await removeFolder(owner);
    },

    /** Removes all files of a transcription that this service stores. It never changes a customer's bucket. */
    async removeAllOf(record: TranscriptionRecord): Promise<void> {
      if (record.type === 'RECORDING_TRANSCRIPTION') await removeFolder(record);
      else if (record.location?.bucket === bucket) await removeKeys(s3, bucket, [record.location.key]);
    },
  };
}
