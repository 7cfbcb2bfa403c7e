import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, errorMessage } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';

/** Where each part of the runner keeps its state below the data directory. */
export type DataFolder = { readonly [part in keyof typeof parts]: string } & { readonly release: () => void };

const parts = {
  assembly: 'cdk.out',
  dynamodb: 'dynamodb',
  queues: 'sqs',
  objects: 's3',
  transcribe: 'transcribe',
  logs: 'logs',
  issuerKey: 'issuer-key.json',
  ports: 'ports.json',
  endpoints: 'endpoints.json',
  demo: 'demo.json',
} as const;

const lockFile = 'lock.db';

/**
 * Makes the data directory and takes it for this runner alone, until `release` or the end of the process; with `fresh`
 * it forgets what an earlier runner kept there, and touches nothing else.
 */
export async function openDataFolder(directory: string, fresh: boolean): Promise<DataFolder> {
  const root = path.resolve(directory);
  try {
    await makeFolder(root);
  } catch (error) {
    throw unusable(root, error);
  }
  const release = lock(root);
  const paths = Object.fromEntries(Object.entries(parts).map(([part, name]) => [part, path.join(root, name)]));
  const folder = { ...paths, release } as DataFolder; // every part is there
  try {
    if (fresh) await Promise.all(Object.values(parts).map((name) => rm(path.join(root, name), forgetting)));
    await Promise.all([folder.dynamodb, folder.logs].map((name) => mkdir(name, { recursive: true })));
    await rm(folder.endpoints, { force: true }); // left behind by a runner that was killed
  } catch (error) {
    release();
    throw unusable(root, error);
  }
  return folder;
}

/** Where a file system such as /proc says of a new folder that it is not there, Node 24's own `recursive` tries forever. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    if (errorCode(error) !== 'ENOENT') throw error;
    await makeFolder(path.dirname(folder));
    await mkdir(folder);
  }
}

const forgetting = { recursive: true, force: true };

/** A lock of the operating system, by way of SQLite: it ends with the process, however that ends. */
function lock(root: string): () => void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path.join(root, lockFile));
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => database?.close();
  } catch (error) {
    database?.close();
    if (!/locked/.test(errorMessage(error))) throw unusable(root, error);
    throw new UserError(
      `Another runner is already using ${root}: stop it, or give this one its own --data-dir and --port.`,
    );
  }
}

function unusable(root: string, error: unknown): UserError {
  const reason = errorCode(error) ?? errorMessage(error);
  return new UserError(`Cannot write to ${root} (${reason}): choose another --data-dir or make it writable.`, {
    cause: error,
  });
}
