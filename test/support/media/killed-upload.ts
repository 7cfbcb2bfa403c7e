import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { startQueuesAndBuckets } from '#tools/local/services/queues-and-buckets/queues-and-buckets.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';

// Stores objects and an upload in parts. Then it replaces the object `a`, deletes the object `b`, and aborts the upload.
// The process is killed when it has done the given number of renames and removals of files for this.

const [queueFolder = '', objectFolder = '', changes] = process.argv.slice(2);
const { renameSync, rmSync, unlinkSync } = fs;
let left = Number.POSITIVE_INFINITY;
const counted =
  <Values extends unknown[]>(change: (...values: Values) => void) =>
  (...values: Values) => {
    if (left <= 0) process.kill(process.pid, 'SIGKILL');
    left -= 1;
    change(...values);
  };
fs.renameSync = counted(renameSync);
fs.unlinkSync = counted(unlinkSync);
fs.rmSync = (folder, options) => {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder, { encoding: 'utf8', recursive: true }) : [];
  const files = names.filter((name) => name.endsWith('.data') || name.endsWith('.json'));
  for (const name of files.toSorted().toReversed()) fs.unlinkSync(path.join(String(folder), name));
  rmSync(folder, options);
};
syncBuiltinESMExports();
const server = await startQueuesAndBuckets({ port: 0, queueFolder, objectFolder });
const s3 = new S3Client({ ...clientSettings(server.url), forcePathStyle: true });
const a = { Bucket: 'mine', Key: 'a' };
const b = { Bucket: 'mine', Key: 'b' };
await s3.send(new CreateBucketCommand({ Bucket: 'mine' }));
const put = (text: string, object = a) => s3.send(new PutObjectCommand({ ...object, Body: text, Metadata: { text } }));
await put('old');
await put('deleted', b);
const { UploadId } = await s3.send(new CreateMultipartUploadCommand(b));
await s3.send(new UploadPartCommand({ ...b, UploadId, PartNumber: 1, Body: 'part' }));
left = Number(changes);
await put('new and longer');
await s3.send(new DeleteObjectCommand(b));
await s3.send(new AbortMultipartUploadCommand({ ...b, UploadId }));
await server.stop();
process.exit();
