import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { bucketNames, tableNames } from '#shared/runtime/names.ts';
import { dynamodb, endpoints, s3 } from '../machine.ts';

/** Something that the local runner stores, with a name for messages. */
export type Stored = { readonly name: string; readonly bytes: Buffer };

/** What the data directory has of programs and templates, and its lock: nothing that anybody sent. */
const programs = new Set(['compiled', 'cdk.out', 'lock.db']);

/**
 * Everything that a local runner stores: all rows of all tables, all versions of all objects with their names and metadata, and all files
 * of its data directory. Of what is compressed, it has the content too. Databases are copied without the pages that are no longer used.
 */
export async function* storedBytes(dataDir: string): AsyncGenerator<Stored> {
  for (const table of tableNames) {
    const pages = paginateScan({ client: dynamodb }, { TableName: endpoints.tables[table], ConsistentRead: true });
    for await (const { Items = [] } of pages) for (const item of Items) yield* rowBytes(`row of ${table}`, item);
  }
  for (const bucket of bucketNames) yield* objectBytes(String(endpoints.buckets[bucket]));
  yield* fileBytes(dataDir);
}

function* rowBytes(name: string, item: Record<string, AttributeValue>): Generator<Stored> {
  yield { name, bytes: Buffer.from(JSON.stringify(item)) };
  for (const { B } of Object.values(item)) if (B) yield* withContent({ name, bytes: Buffer.from(B) });
}

async function* objectBytes(Bucket: string): AsyncGenerator<Stored> {
  let markers: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined } | undefined = {};
  while (markers) {
    const page: Awaited<ReturnType<typeof listed>> = await listed(Bucket, markers);
    for (const { Key, VersionId } of page.Versions ?? []) {
      const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
      const name = `object ${Bucket}/${Key}`;
      yield { name, bytes: Buffer.from(`${Key} ${JSON.stringify(Metadata)}`) };
      yield* withContent({ name, bytes: Buffer.from((await Body?.transformToByteArray()) ?? []) });
    }
    for (const { Key } of page.DeleteMarkers ?? []) yield { name: `marker of ${Key}`, bytes: Buffer.from(String(Key)) };
    markers = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : undefined;
  }
}

const listed = (Bucket: string, markers: { KeyMarker?: string | undefined; VersionIdMarker?: string | undefined }) =>
  s3.send(new ListObjectVersionsCommand({ Bucket, ...markers }));

async function* fileBytes(dataDir: string): AsyncGenerator<Stored> {
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const relative = path.relative(dataDir, file);
    if (!entry.isFile() || programs.has(relative.split(path.sep)[0] ?? '')) continue;
    if (/-(wal|shm|journal)$/.test(file)) continue; // part of a database, whose copy has what is in it
    const bytes = file.endsWith('.db') ? await readDatabase(file) : await readFile(file).catch(() => Buffer.alloc(0));
    yield { name: `file ${relative}`, bytes: Buffer.from(relative) };
    yield* withContent({ name: `file ${relative}`, bytes });
  }
}

/** A copy of a database as it is now. */
async function readDatabase(file: string): Promise<Buffer> {
  const copy = `${file}.${randomUUID()}.copy`;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 30_000 });
  try {
    database.exec(`VACUUM INTO '${copy.replaceAll("'", "''")}'`);
    return await readFile(copy);
  } finally {
    database.close();
    await rm(copy, { force: true });
  }
}

function* withContent(stored: Stored): Generator<Stored> {
  yield stored;
  for (const decompress of [gunzipSync, inflateSync, inflateRawSync, brotliDecompressSync]) {
    try {
      yield { name: `${stored.name}, decompressed`, bytes: decompress(stored.bytes) };
    } catch {
      // It is not compressed in this way.
    }
  }
}

/** The traces that something stored has, in UTF-8, in UTF-16, or in Base64. Case does not matter, except in Base64. */
export function tracesIn({ bytes }: Stored, traces: readonly string[]): string[] {
  const lower = bytes.toString('latin1').toLowerCase();
  const exact = bytes.toString('latin1');
  return traces.filter((trace) => {
    const written = [Buffer.from(trace), Buffer.from(trace, 'utf16le')];
    return (
      written.some((form) => lower.includes(form.toString('latin1').toLowerCase())) ||
      inBase64(trace).some((form) => exact.includes(form))
    );
  });
}

/** The middle of the Base64 of a text, at each of the three places where it can begin in the encoded bytes. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from(' '.repeat(before) + text).toString('base64');
    const whole = Math.floor((before + Buffer.byteLength(text)) / 3) * 4;
    return encoded.slice(before === 0 ? 0 : 4, whole);
  });
}
