import { setTimeout } from 'node:timers/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { TranscriptFile } from '../../domain/render-transcript.ts';
import { generatedFolder } from '../../domain/transcript-location.ts';
import type { TranscriptionKey, TranscriptionRecord } from '../../domain/transcription.ts';
import { ServiceUnavailable } from '../../errors.ts';

/** S3 takes at most 1000 keys in one DeleteObjects. */
const maxKeysPerDelete = 1000;
const maxAttempts = 4;
const maxPauseMs = 200;

/** What reads, writes and removes transcripts' files. */
export type TranscriptFiles = ReturnType<typeof transcriptFiles>;

/** The transcripts bucket. */
export function transcriptFiles(s3: S3Client, bucket: string) {
  const removeKeys = async (keys: readonly string[]) => {
    let left = keys;
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > maxAttempts) throw new ServiceUnavailable('Not every file could be deleted.');
      const Objects = left.map((Key) => ({ Key }));
      const { Errors = [] } = await s3.send(
        new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
      );
      const failedKeys = new Set(Errors.map(({ Key }) => Key));
      left = left.filter((key) => failedKeys.has(key));
      if (left.length > 0) await setTimeout(Math.random() * maxPauseMs * attempt);
    }
  };

  const removeFolder = async (owner: TranscriptionKey) => {
    const pages = paginateListObjectsV2(
      { client: s3, pageSize: maxKeysPerDelete },
      { Bucket: bucket, Prefix: generatedFolder(owner) },
    );
    for await (const { Contents = [] } of pages) await removeKeys(Contents.flatMap(({ Key }) => Key ?? []));
  };

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
    removeGenerated: removeFolder,

    /** Removes all of a transcription's files that this service keeps; a customer's own bucket is never touched. */
    async removeAllOf(record: TranscriptionRecord): Promise<void> {
      if (record.type === 'RECORDING_TRANSCRIPTION') await removeFolder(record);
      else if (record.location?.bucket === bucket) await removeKeys([record.location.key]);
    },
  };
}
