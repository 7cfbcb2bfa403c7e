import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fauxqsModule } from './fauxqs-module.ts';

// fauxqs 2.4.1 writes the files of an object in place. A full disk or a kill then leaves half of a new object where a
// whole one was, and a file that stops the next start. Each write goes to a folder of its own, whose files are moved when all are whole.

/** The folders to which a persistence of fauxqs writes. */
type Folders = { readonly baseDir: string; readonly bucketsDir: string; readonly multipartDir: string };
type Write = (...values: unknown[]) => void;
const writes = ['insertBucket', 'upsertObject', 'insertMultipartUpload', 'upsertMultipartPart'] as const;
type Persistence = Folders & Record<(typeof writes)[number], Write>;

type Upload = { parts: ReadonlyMap<unknown, unknown> };
type Store = {
  readonly multipartUploads: ReadonlyMap<string, Upload>;
  completeMultipartUpload(uploadId: string, ...rest: unknown[]): unknown;
};

let isInstalled = false;

/** Makes fauxqs in this process store each object whole or not at all. */
export async function installWholeFiles(): Promise<void> {
  if (isInstalled) return;
  isInstalled = true;
  const { FileS3Persistence } = await fauxqsModule<{
    readonly FileS3Persistence: { readonly prototype: Persistence };
  }>('s3/fileS3Persistence.js');
  for (const name of writes) {
    const write = FileS3Persistence.prototype[name];
    FileS3Persistence.prototype[name] = function (this: Persistence, ...values) {
      writeWhole(this, (folders) => write.apply(folders, values));
    };
  }
  const { S3Store } = await fauxqsModule<{ readonly S3Store: { readonly prototype: Store } }>('s3/s3Store.js');
  keepParts(S3Store.prototype);
}

/** The calls of fauxqs are synchronous, so that one folder is enough. What a killed process left in it is removed. */
function writeWhole({ baseDir }: Folders, write: (folders: Folders) => void): void {
  const staging = path.join(baseDir, '_unfinished');
  const discard = () => rmSync(staging, { recursive: true, force: true });
  discard();
  try {
    write({ baseDir, bucketsDir: path.join(staging, 'buckets'), multipartDir: path.join(staging, '_multipart') });
    for (const file of filesIn(staging)) {
      const target = path.join(baseDir, path.relative(staging, file));
      mkdirSync(path.dirname(target), { recursive: true });
      renameSync(file, target);
    }
  } finally {
    discard();
  }
}

/** The bytes of an object before its description: an object exists when it is described. */
function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  return files.toSorted((one, other) => Number(one.endsWith('.json')) - Number(other.endsWith('.json')));
}

/** fauxqs forgets the parts of an upload before it has stored the object. */
function keepParts(store: Store): void {
  const { completeMultipartUpload } = store;
  store.completeMultipartUpload = function (this: Store, uploadId, ...rest) {
    const upload = this.multipartUploads.get(uploadId);
    const parts = new Map(upload?.parts);
    try {
      return completeMultipartUpload.call(this, uploadId, ...rest);
    } catch (error) {
      if (upload) upload.parts = parts;
      throw error;
    }
  };
}
