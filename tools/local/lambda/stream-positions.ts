import { readFile } from 'node:fs/promises';
import writeFileAtomic from 'write-file-atomic';
import * as z from 'zod';
import { errorCode } from '#tools/shared/error-details.ts';

/** The sequence number of the last record that is done, by the id of the shard. */
const ShardPositions = z.record(z.string(), z.string());
type ShardPositions = z.infer<typeof ShardPositions>;

/** The positions of one reader of one stream. */
export type StreamPositions = {
  readonly get: (shardId: string) => string | undefined;
  /** Stores how far the shard is done. When it returns, the position is on disk. */
  readonly set: (shardId: string, sequenceNumber: string) => Promise<void>;
  /** Forgets the shards that the stream no longer has. */
  readonly keepOnly: (shardIds: readonly string[]) => Promise<void>;
};

/** How far functions have read streams, in one file, so that a restart goes on and repeats nothing that is done. */
export type PositionFile = { readonly of: (reader: string) => StreamPositions };

/** Opens the file. One that is missing or cannot be read means that no position is known: the streams are read again from their beginning. */
export async function openPositions(file: string): Promise<PositionFile> {
  const readers = new Map(Object.entries(await readPositions(file)));
  let last: Promise<unknown> = Promise.resolve();
  const write = async () => {
    last = last.catch(() => {}).then(() => writeFileAtomic(file, JSON.stringify(Object.fromEntries(readers))));
    await last;
  };
  return {
    of: (reader) => ({
      get: (shardId) => readers.get(reader)?.[shardId],
      set: async (shardId, sequenceNumber) => {
        readers.set(reader, { ...readers.get(reader), [shardId]: sequenceNumber });
        await write();
      },
      keepOnly: async (shardIds) => {
        const known = Object.entries(readers.get(reader) ?? {});
        const kept = known.filter(([shardId]) => shardIds.includes(shardId));
        if (kept.length === known.length) return;
        readers.set(reader, Object.fromEntries(kept));
        await write();
      },
    }),
  };
}

async function readPositions(file: string): Promise<Record<string, ShardPositions>> {
  try {
    return z.record(z.string(), ShardPositions).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}
