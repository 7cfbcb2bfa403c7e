import { describe, expect, test } from 'vitest';
import type { Visitor } from '#shared/domain/insights/participant-record.ts';
import {
  fingerprintOf,
  moveVisitors,
  shardsOf,
  type VisitorSegment,
  visitorShards,
  visitorsPerSegment,
} from '#shared/domain/insights/room-visitors.ts';
import { noVisitors } from '#shared/domain/insights/usage.ts';

const visitor = (index: number): Visitor => ({ kind: 'participant', visitorId: `visitor ${index}` });
/** Visitors of one shard. */
const [first, ...others] = Array.from({ length: 4_000 }, (_, index) => visitor(index)).filter(
  (each) => shardsOf([each])[0] === shardsOf([visitor(0)])[0],
) as [Visitor, ...Visitor[]];

/** The segments as they are stored after a change of them. */
const stored = (before: readonly VisitorSegment[], changed: readonly VisitorSegment[]) => {
  const isChanged = ({ shard, number }: VisitorSegment) =>
    changed.some((segment) => segment.shard === shard && segment.number === number);
  const kept = before.filter((segment) => !isChanged(segment));
  return [...kept, ...changed.map((segment) => ({ ...segment, version: segment.version + 1 }))];
};
const add = (segments: readonly VisitorSegment[], added: readonly Visitor[]) =>
  stored(segments, moveVisitors(segments, { added, gone: [] }).segments);

describe('the fingerprint of a visitor', () => {
  test('has 96 bits, and differs by kind and id', () => {
    expect(fingerprintOf(first)).toMatch(/^[0-9a-f]{24}$/);
    const kinds = ['participant', 'recorder', 'streamer'] as const;
    expect(new Set(kinds.map((kind) => fingerprintOf({ ...first, kind }))).size).toBe(3);
    expect(fingerprintOf(first)).not.toBe(fingerprintOf(visitor(4_000)));
  });

  test('spreads visitors evenly over the shards', () => {
    const shards = Map.groupBy(
      Array.from({ length: 1_000 }, (_, index) => visitor(index)),
      (each) => shardsOf([each])[0],
    );
    expect(shards.size).toBe(visitorShards);
    for (const { length } of shards.values()) expect(length).toBeGreaterThan(1_000 / visitorShards / 2);
    expect(shardsOf([first, first, ...others])).toHaveLength(1);
  });
});

describe('new visitors', () => {
  test('fill one segment after another', () => {
    const some = [first, ...others.slice(0, 2 * visitorsPerSegment)];
    const segments = add([], some);
    expect(segments.map(({ number, sessions }) => [number, sessions.size])).toEqual([
      [1, visitorsPerSegment],
      [2, visitorsPerSegment],
      [3, 1],
    ]);
    const [next] = others.slice(-1);
    const { segments: changed } = moveVisitors(segments, { added: next ? [next] : [], gone: [] });
    expect(changed).toMatchObject([{ number: 3, version: 1 }]);
  });

  test('give the same segments one by one and together', () => {
    const some = others.slice(0, 100);
    const oneByOne = some.reduce<VisitorSegment[]>((segments, each) => add(segments, [each]), []);
    const contents = (segments: readonly VisitorSegment[]) =>
      segments.map(({ number, sessions }) => [number, sessions]).toSorted();
    expect(contents(oneByOne)).toEqual(contents(add([], some)));
  });
});

describe('a known visitor', () => {
  const known = add(add([], [first]), [first]);

  test('is counted in the segment that has it, even if later ones have place', () => {
    const segments = add(add([], [first, ...others.slice(0, visitorsPerSegment)]), []);
    const moved = moveVisitors(segments, { added: [first], gone: [] });
    expect(moved).toMatchObject({ segments: [{ number: 1 }], change: noVisitors });
    expect(moved.segments[0]?.sessions.get(fingerprintOf(first))).toBe(2);
  });

  test('leaves the room with the last session that counts it, and comes back with the next one', () => {
    const leave = (segments: readonly VisitorSegment[]) => moveVisitors(segments, { added: [], gone: [first] });
    const once = leave(known);
    expect(once.change).toEqual(noVisitors);
    const twice = leave(stored(known, once.segments));
    expect(twice.change).toEqual({ ...noVisitors, participant: -1 });
    const none = stored(known, twice.segments);
    expect(leave(none)).toEqual({ segments: [], change: noVisitors });
    expect(moveVisitors(none, { added: [first], gone: [] })).toMatchObject({
      segments: [{ number: 1, version: 4 }],
      change: { participant: 1 },
    });
  });
});
