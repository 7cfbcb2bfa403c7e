import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, errorMessage } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';
import { diskOf, reservedMegabytes } from './limits/disk-space.ts';

/** The path of each part of the state in the data directory, and how to unlock the directory. */
export type DataFolder = { readonly [part in keyof typeof parts | 'root']: string } & { readonly release: () => void };

const parts = {
  assembly: 'cdk.out',
  dynamodb: 'dynamodb',
  queues: 'sqs',
  objects: 's3',
  transcribe: 'transcribe',
  logs: 'logs',
  compiled: 'compiled',
  issuerKey: 'issuer-key.json',
  peopleKey: 'people-key.json',
  secrets: 'secrets.json',
  eventRules: 'event-rules.json',
  streamPositions: 'stream-positions.json',
  ports: 'ports.json',
  endpoints: 'endpoints.json',
  demo: 'demo.json',
} as const;

const lockFile = 'lock.db';

/**
 * Creates the data directory and locks it for this runner until `release` or the end of the process. With `fresh` it
 * deletes the state of earlier runs, and no other file.
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
  const folder = { ...paths, root, release } as DataFolder; // has every part
  try {
    if (fresh) await Promise.all(Object.values(parts).map((name) => rm(path.join(root, name), forgetting)));
    if (diskOf(root)()) throw new Error(`less than ${reservedMegabytes} MB are free`);
    await Promise.all([folder.dynamodb, folder.logs].map((name) => mkdir(name, { recursive: true })));
    await rm(folder.endpoints, { force: true }); // a killed runner leaves it behind
  } catch (error) {
    release();
    throw unusable(root, error);
  }
  return folder;
}

/** Creates a folder and its parents. The `recursive` of Node 24 loops forever on a file system such as /proc. */
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

/** Takes a lock of the operating system through SQLite. The lock ends with the process, even a killed one. */
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
      `Another runner is already using ${root}. Stop it, or start this one with another --data-dir and --port.`,
    );
  }
}

function unusable(root: string, error: unknown): UserError {
  const reason = errorCode(error) ?? errorMessage(error);
  return new UserError(`Cannot write to ${root} (${reason}). Choose another --data-dir, or make this one writable.`, {
    cause: error,
  });
}
