import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkOwner } from '#shared/domain/transcriptions/parts/work.ts';
import type { TranscriptFile } from '#shared/domain/transcriptions/render-transcript.ts';
import {
  foldersOf,
  generatedFolders,
  liveFolder,
  workFolder,
} from '#shared/domain/transcriptions/transcript-location.ts';
import type { TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';
import { removeAllBelow } from '../common/remove-keys.ts';

/** The files in the transcripts bucket. */
export function transcriptFiles(s3: S3Client, bucket: string) {
  const removeFolders = async (folders: readonly string[]) => {
    for (const folder of folders) await removeAllBelow(s3, bucket, folder);
  };
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
    async removeGenerated(owner: WorkOwner): Promise<void> {
      await removeFolders(generatedFolders(owner));
    },

    /** Removes every intermediate file of a work. */
    async removeWork(key: WorkKey): Promise<void> {
      await removeFolders([workFolder(key)]);
    },

    /** Removes every file that the platform has stored for one live transcription. */
    async removeLive(owner: TranscriptionKey): Promise<void> {
      await removeFolders([liveFolder(owner)]);
    },

    /** Removes every file in the folders of one transcription. It never touches another folder or bucket. */
    async removeAllOf(owner: WorkOwner): Promise<void> {
      await removeFolders(foldersOf(owner));
    },
  };
}
