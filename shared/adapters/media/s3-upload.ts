import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { FileLocation } from '#shared/contracts/events.ts';
import { type MediaTarget, partBytes } from './media-target.ts';

/** Two parts on their way and one that fills up bound the memory. */
const partsAtOnce = 2;

/**
 * Uploads an object in parts while it is written. The first part goes last: containers write lengths into their header
 * when they end, which a body in order, as lib-storage takes it, could not hold.
 */
export function s3Upload(s3: Pick<S3Client, 'send'>, location: FileLocation, signal: AbortSignal): MediaTarget {
  const object = { Bucket: location.bucket, Key: location.key };
  const parts: { PartNumber: number; ETag: string | undefined }[] = [];
  const sending = new Set<Promise<void>>();
  const first = new Uint8Array(partBytes);
  let uploadId: Promise<string | undefined> | undefined;
  let failure: unknown;
  let tail: Uint8Array[] = [];
  let tailBytes = 0;
  let nextPart = 2;
  let written = 0;

  const begin = async () => (await s3.send(new CreateMultipartUploadCommand(object), { abortSignal: signal })).UploadId;
  const sendPart = async (PartNumber: number, Body: Uint8Array) => {
    uploadId ??= begin();
    const part = { ...object, UploadId: await uploadId, PartNumber };
    const { ETag } = await s3.send(new UploadPartCommand({ ...part, Body }), { abortSignal: signal });
    parts.push({ PartNumber, ETag });
  };
  const enqueue = async (PartNumber: number, body: Uint8Array) => {
    while (sending.size >= partsAtOnce) await Promise.race(sending);
    const sent: Promise<void> = sendPart(PartNumber, body)
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => sending.delete(sent));
    sending.add(sent);
  };
  const append = async (data: Uint8Array) => {
    tail.push(data);
    tailBytes += data.byteLength;
    while (tailBytes >= partBytes) {
      const whole = concatenated(tail, tailBytes);
      tailBytes -= partBytes;
      tail = tailBytes > 0 ? [whole.subarray(partBytes)] : [];
      await enqueue(nextPart++, whole.subarray(0, partBytes));
    }
  };
  const check = () => {
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
  };

  return {
    async write(data, position) {
      check();
      const end = position + data.byteLength;
      if (position !== written && end > Math.min(written, partBytes)) {
        throw new Error('A file is written from front to back, except for its first part.');
      }
      if (position < partBytes) first.set(data.subarray(0, partBytes - position), position);
      const beyond = data.subarray(Math.max(0, Math.max(partBytes, written) - position));
      written = Math.max(written, end);
      if (beyond.byteLength > 0) await append(beyond);
    },
    async complete() {
      if (tailBytes > 0) await enqueue(nextPart, concatenated(tail, tailBytes));
      await enqueue(1, first.subarray(0, written));
      await Promise.all(sending);
      check();
      const Parts = parts.toSorted((a, b) => a.PartNumber - b.PartNumber);
      const upload = { ...object, UploadId: await uploadId, MultipartUpload: { Parts } };
      await s3.send(new CompleteMultipartUploadCommand(upload), { abortSignal: signal });
      return written;
    },
    async abort() {
      await Promise.allSettled(sending);
      const UploadId = await uploadId?.catch(() => undefined);
      // Not with the signal: it may be the reason of the abort. The lifecycle of the bucket removes what is left after a crash.
      if (UploadId !== undefined) await s3.send(new AbortMultipartUploadCommand({ ...object, UploadId }));
    },
  };
}

function concatenated(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
