import { createHash } from 'node:crypto';
import type { VisitorKind } from './connection-kind.ts';
import type { Visitor } from './participant-record.ts';
import type { UniqueVisitors } from './usage.ts';

/**
 * A part of the visitors that a room has counted, and how many of its sessions count each. The visitors of a room are spread over shards, and
 * a shard is a row of segments. New visitors come into the last one until it is full.
 */
export type VisitorSegment = {
  readonly shard: number;
  readonly number: number;
  /** 0 if the segment is not stored yet. */
  readonly version: number;
  /** The number of sessions by the fingerprint of a visitor. */
  readonly sessions: ReadonlyMap<string, number>;
};

/** The visitors that a session counts, or counts no more, after a change. */
export type ChangedVisitors = { readonly added: readonly Visitor[]; readonly gone: readonly Visitor[] };

/** More shards make the event of one visitor read less, and the events of many visitors write more. */
export const visitorShards = 8;

/** A segment with as many visitors takes less than one kilobyte, with the longest names of rooms little more. */
export const visitorsPerSegment = 48;

/** Length of a fingerprint. */
export const fingerprintBytes = 12;

/** What is stored of a visitor: 96 bits of a SHA-256, as hexadecimal text. */
export function fingerprintOf({ kind, visitorId }: Visitor): string {
  const digest = createHash('sha256').update(`${kind} ${visitorId}`).digest();
  return digest.subarray(0, fingerprintBytes).toString('hex');
}

/** The shards of the visitors, each once. */
export function shardsOf(visitors: readonly Visitor[]): number[] {
  return [...new Set(visitors.map((visitor) => shardOf(fingerprintOf(visitor))))];
}

function shardOf(fingerprint: string): number {
  return Number.parseInt(fingerprint.slice(0, 2), 16) % visitorShards;
}

/**
 * Counts one session more or less for each visitor. `segments` are all segments of the visitors' shards. Returns the segments that
 * change, with the version that was read, and by how much the room's unique visitors change.
 */
export function moveVisitors(
  segments: readonly VisitorSegment[],
  { added, gone }: ChangedVisitors,
): { readonly segments: VisitorSegment[]; readonly change: UniqueVisitors } {
  const shards = Map.groupBy(segments, ({ shard }) => shard);
  const changed = new Map<string, VisitorSegment>();
  const change: Record<VisitorKind, number> = { participant: 0, recorder: 0, streamer: 0 };

  const put = (segment: VisitorSegment, fingerprint: string, sessions: number) => {
    const after = { ...segment, sessions: new Map([...segment.sessions, [fingerprint, sessions]]) };
    const others = (shards.get(segment.shard) ?? []).filter(({ number }) => number !== segment.number);
    shards.set(segment.shard, [...others, after]);
    changed.set(`${segment.shard} ${segment.number}`, after);
  };
  const find = (fingerprint: string) =>
    shards.get(shardOf(fingerprint))?.find(({ sessions }) => sessions.has(fingerprint));

  for (const visitor of added) {
    const fingerprint = fingerprintOf(visitor);
    const segment = find(fingerprint) ?? lastOf(shardOf(fingerprint), shards.get(shardOf(fingerprint)));
    const before = segment.sessions.get(fingerprint) ?? 0;
    put(segment, fingerprint, before + 1);
    if (before === 0) change[visitor.kind] += 1;
  }
  for (const visitor of gone) {
    const fingerprint = fingerprintOf(visitor);
    const segment = find(fingerprint);
    const before = segment?.sessions.get(fingerprint) ?? 0;
    // A visitor whom the erasure of a person has removed stays removed.
    if (!segment || before === 0) continue;
    put(segment, fingerprint, before - 1);
    if (before === 1) change[visitor.kind] -= 1;
  }
  return { segments: [...changed.values()], change };
}

/** The segment into which the next new visitor of a shard comes. */
function lastOf(shard: number, segments: readonly VisitorSegment[] = []): VisitorSegment {
  const [last] = segments.toSorted((one, other) => other.number - one.number);
  if (last && last.sessions.size < visitorsPerSegment) return last;
  return { shard, number: (last?.number ?? 0) + 1, version: 0, sessions: new Map() };
}
