import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fauxqsModule } from './fauxqs-module.ts';

// fauxqs 2.4.1 writes the files of an object in place. A full disk or a kill then leaves half of a new object where a
// whole one was, and a file that stops the next start. Each write goes to a folder of its own. When all is written, the
// folder gets another name, and its files are moved to where they belong: by the next start, if the process is killed.

/** The folders to which a persistence of fauxqs writes. */
type Folders = { readonly baseDir: string; readonly bucketsDir: string; readonly multipartDir: string };
const writes = ['insertBucket', 'upsertObject', 'insertMultipartUpload', 'upsertMultipartPart'] as const;
type Persistence = Folders &
  Record<(typeof writes)[number] | 'loadS3', (...values: unknown[]) => void> & {
    deleteMultipartUpload(uploadId: string): void;
    walkMetaFiles(folder: string, visit: (file: string) => void): void;
  };
type Store = {
  readonly multipartUploads: ReadonlyMap<string, { readonly parts: Map<unknown, unknown> }>;
  completeMultipartUpload(uploadId: string, ...rest: unknown[]): unknown;
};

const written = '_written';
const forgetting = { recursive: true, force: true };

/** Makes fauxqs in this process store each object whole or not at all. */
export async function installWholeFiles(): Promise<void> {
  const { FileS3Persistence } = await fauxqsModule<{
    readonly FileS3Persistence: { readonly prototype: Persistence };
  }>('s3/fileS3Persistence.js');
  const { loadS3 } = FileS3Persistence.prototype;
  FileS3Persistence.prototype.loadS3 = function (this: Persistence, ...stores) {
    if (existsSync(path.join(this.baseDir, written))) moveWritten(this.baseDir);
    this.walkMetaFiles(this.baseDir, forgetIfDeleted);
    loadS3.apply(this, stores);
  };
  for (const name of writes) {
    const write = FileS3Persistence.prototype[name];
    FileS3Persistence.prototype[name] = function (this: Persistence, ...values) {
      writeWhole(this.baseDir, (folders) => write.apply(folders, values));
    };
  }
  FileS3Persistence.prototype.deleteMultipartUpload = function (this: Persistence, uploadId) {
    const folder = unfinishedIn(this.baseDir);
    renameSync(path.join(this.multipartDir, uploadId), folder); // at once, so that no upload lacks a part
    rmSync(folder, forgetting);
  };
  const { S3Store } = await fauxqsModule<{ readonly S3Store: { readonly prototype: Store } }>('s3/s3Store.js');
  const { completeMultipartUpload } = S3Store.prototype;
  S3Store.prototype.completeMultipartUpload = function (this: Store, uploadId, ...rest) {
    const { parts } = this.multipartUploads.get(uploadId) ?? {};
    if (parts) parts.clear = () => {}; // fauxqs forgets the parts before it has stored the object
    return completeMultipartUpload.call(this, uploadId, ...rest);
  };
}

/** fauxqs deletes the bytes of an object before its description, so a killed process can leave a description alone. */
function forgetIfDeleted(description: string): void {
  if (!existsSync(description.replace(/\.meta\.json$/, '.data'))) rmSync(description);
}

/** The calls of fauxqs are synchronous, so that one folder is enough. What a killed process left in it is removed. */
function unfinishedIn(baseDir: string): string {
  const unfinished = path.join(baseDir, '_unfinished');
  rmSync(unfinished, forgetting);
  return unfinished;
}

function writeWhole(baseDir: string, write: (folders: Folders) => void): void {
  const unfinished = unfinishedIn(baseDir);
  try {
    write({ baseDir, bucketsDir: path.join(unfinished, 'buckets'), multipartDir: path.join(unfinished, '_multipart') });
    renameSync(unfinished, path.join(baseDir, written));
  } finally {
    rmSync(unfinished, forgetting);
  }
  moveWritten(baseDir);
}

/** Moves folders before their files, and the bytes of an object (`.data`) before its description (`.meta.json`). */
function moveWritten(baseDir: string): void {
  const folder = path.join(baseDir, written);
  try {
    for (const name of readdirSync(folder, { encoding: 'utf8', recursive: true }).toSorted()) {
      const [source, target] = [path.join(folder, name), path.join(baseDir, name)];
      if (statSync(source).isDirectory()) mkdirSync(target, { recursive: true });
      else renameSync(source, target);
    }
  } finally {
    rmSync(folder, forgetting);
  }
}
