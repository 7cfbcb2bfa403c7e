import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { StoredHook } from '#shared/contracts/platforms/connection.ts';
import { hooksFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import type { HookStore } from '#shared/use-cases/platforms/ports.ts';

/** Implements `HookStore` in the transcripts bucket. */
export function hookFiles(s3: Pick<S3Client, 'send'>, bucket: string): HookStore {
  return {
    async put(hook, requestId) {
      const Key = `${hooksFolder(hook)}${hook.receivedAt}-${requestId.replaceAll(/[^\w-]/g, '')}.json`;
      const Body = JSON.stringify(hook);
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: 'application/json' }));
      return Key;
    },

    async get(key) {
      try {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return StoredHook.parse(JSON.parse((await Body?.transformToString('utf-8')) ?? ''));
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined;
        throw error;
      }
    },
  };
}
