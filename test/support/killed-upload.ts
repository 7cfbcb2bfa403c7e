import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { startQueuesAndBuckets } from '#tools/local/services/queues-and-buckets.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';

// Stores an object in a new bucket, and replaces it. The process is killed when it has done the given number of renames
// of the second upload.

const [queueFolder = '', objectFolder = '', renames] = process.argv.slice(2);
const { renameSync } = fs;
let left = Number.POSITIVE_INFINITY;
fs.renameSync = (from, to) => {
  if (left <= 0) process.kill(process.pid, 'SIGKILL');
  left -= 1;
  renameSync(from, to);
};
syncBuiltinESMExports();
const server = await startQueuesAndBuckets({ port: 0, queueFolder, objectFolder });
const s3 = new S3Client({ ...clientSettings(server.url), forcePathStyle: true });
await s3.send(new CreateBucketCommand({ Bucket: 'mine' }));
const put = (text: string) =>
  s3.send(new PutObjectCommand({ Bucket: 'mine', Key: 'a', Body: text, Metadata: { text } }));
await put('old');
left = Number(renames);
await put('new and longer');
await server.stop();
process.exit();
