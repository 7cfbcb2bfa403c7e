import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Log } from './log.ts';

/** Named records: in memory for reads, and in one file each on disk, so that they survive the process. */
export type RecordStore<Entry> = {
  get(name: string): Entry | undefined;
  all(): Entry[];
  save(record: Entry): Promise<void>;
  remove(name: string): Promise<void>;
};

/** What a store keeps. `parse` throws for a file that is not a record. */
export type RecordKind<Entry> = {
  parse: (value: unknown) => Entry;
  nameOf: (record: Entry) => string;
  log: Log;
};

/** Reads the records of a folder, oldest first. Logs a file that is not a record and does not change it. */
export async function openRecordStore<Entry extends { createdAt: string }>(
  folder: string,
  { parse, nameOf, log }: RecordKind<Entry>,
): Promise<RecordStore<Entry>> {
  await mkdir(folder, { recursive: true });
  const records = new Map<string, Entry>();
  for (const record of await loadRecords(folder, parse, log)) records.set(nameOf(record), record);
  const fileOf = (name: string): string => join(folder, `${name}.json`);
  return {
    get: (name) => records.get(name),
    all: () => [...records.values()],
    async save(record) {
      const name = nameOf(record);
      const before = records.get(name);
      // Memory first: a second request with the same name must see the record before the file exists.
      records.set(name, record);
      try {
        await writeFileAtomic(fileOf(name), JSON.stringify(record));
      } catch (error) {
        if (before === undefined) records.delete(name);
        else records.set(name, before);
        throw error;
      }
    },
    async remove(name) {
      records.delete(name);
      await rm(fileOf(name), { force: true });
    },
  };
}

async function loadRecords<Entry extends { createdAt: string }>(
  folder: string,
  parse: (value: unknown) => Entry,
  log: Log,
): Promise<Entry[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  const records = await Promise.all(files.map((file) => loadRecord(join(folder, file), parse, log)));
  return records.filter((record) => record !== undefined).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}

async function loadRecord<Entry>(file: string, parse: (value: unknown) => Entry, log: Log) {
  try {
    return parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    log('transcribe_file_unreadable', { file });
    return undefined;
  }
}
