import * as z from 'zod/mini';
import { fingerprintBytes, type VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import type { Item } from '../common/sorted-query.ts';

/** A visitor takes 16 bytes: the fingerprint, then the number of sessions. */
const entryBytes = 16;

const Row = z.object({
  shard: z.number(),
  segment: z.number(),
  version: z.number(),
  visitors: z.instanceof(Uint8Array),
});

/** The attributes of a segment, besides its key and its version. */
export function toVisitorItem({ shard, number, sessions }: VisitorSegment): Item {
  const visitors = Buffer.alloc(sessions.size * entryBytes);
  for (const [index, [fingerprint, count]] of [...sessions].entries()) {
    visitors.write(fingerprint, index * entryBytes, 'hex');
    visitors.writeUInt32BE(count, index * entryBytes + fingerprintBytes);
  }
  return { shard, segment: number, visitors };
}

/** A segment from its item. Throws if the item has another shape, because that is a defect. */
export function toVisitorSegment(item: Item): VisitorSegment {
  const { shard, segment, version, visitors } = Row.parse(item);
  const bytes = Buffer.from(visitors);
  const entries = Array.from({ length: bytes.length / entryBytes }, (_, index): [string, number] => {
    const at = index * entryBytes;
    return [bytes.toString('hex', at, at + fingerprintBytes), bytes.readUInt32BE(at + fingerprintBytes)];
  });
  return { shard, number: segment, version, sessions: new Map(entries) };
}
