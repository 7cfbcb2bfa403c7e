import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { entityTables } from '#infra/storage/tables.ts';
import { host } from '#tools/local/ports.ts';
import { startDynamoDb } from '#tools/local/services/dynamodb/dynamodb-process.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import manifest from '../../package.json' with { type: 'json' };
import type { Rows } from '../support/insights/stored-rooms.ts';
import { openDatabaseFile } from './database-file.ts';
import { withLocalRunner } from './local-runner.ts';

/** Rows of one table, with a name for the progress. */
export type Filling = Rows & { readonly table: 'rooms'; readonly name: string };

/** What a run knows of its filled database. */
export type Filled = { readonly endpoints: Endpoints; readonly how: string };

const folderOfAll = fileURLToPath(new URL('../../.bench/', import.meta.url));
const sampleRows = 100;

/**
 * Runs `work` on a local runner whose DynamoDB has these rows. The database is kept in `.bench/` of the checkout for later runs. Its name
 * changes with the tables, with the rows and with the version of DynamoDB, and a database of another name is deleted.
 */
export async function withFilledDatabase<Result>(
  name: string,
  fillings: readonly Filling[],
  work: (filled: Filled) => Promise<Result>,
): Promise<Result> {
  const folder = path.join(folderOfAll, `${name}-${versionOf(fillings)}`);
  const how = existsSync(folder) ? 'kept from an earlier run' : `filled in ${await fill(name, folder, fillings)} s`;
  return onDatabase(folder, (endpoints) => work({ endpoints, how }));
}

/** Changes with whatever decides how the filled database looks. */
function versionOf(fillings: readonly Filling[]): string {
  const rows = fillings.map(({ table, count, make }) => [
    ...[table, count],
    ...Array.from({ length: sampleRows }, (_, index) => make(Math.floor((index * count) / sampleRows))),
  ]);
  const text = JSON.stringify([manifest.optionalDependencies, entityTables, rows]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** Fills a database beside the folder, which gets its name only when it is whole. Returns the seconds. */
async function fill(name: string, folder: string, fillings: readonly Filling[]): Promise<string> {
  await mkdir(folderOfAll, { recursive: true });
  for (const other of await readdir(folderOfAll))
    if (other.startsWith(`${name}-`)) await rm(path.join(folderOfAll, other), { recursive: true });
  const unfinished = `${folder}.unfinished`;
  await mkdir(unfinished);
  const tables = await onDatabase(unfinished, async (endpoints) => endpoints.tables); // which it creates
  const startedAt = performance.now();
  const database = openDatabaseFile(path.join(unfinished, 'dynamodb.db'));
  for (const { table, name: what, ...rows } of fillings) {
    const progress = openProgress(process.stderr);
    database.fill(tables[table] ?? '', rows, (written) => progress.show(`Writing ${what}`, written, rows.count));
    progress.end();
  }
  database.close();
  await rename(unfinished, folder);
  return ((performance.now() - startedAt) / 1000).toFixed(0);
}

/** Runs `work` on a local runner with the database of a folder. */
async function onDatabase<Result>(folder: string, work: (endpoints: Endpoints) => Promise<Result>): Promise<Result> {
  const dynamodb = await startDynamoDb(folder, await getPort({ host }));
  try {
    return await withLocalRunner(work, { dynamodbUrl: dynamodb.url });
  } finally {
    await dynamodb.stop();
  }
}
