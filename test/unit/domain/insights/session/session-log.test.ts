import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { maxItemsPerTransaction } from '#shared/domain/insights/change-size.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import {
  blockOverhead,
  blocksOf,
  bytesOf,
  endOfStep,
  identityOf,
  maxWeight,
  sessionLog,
  weightOf,
} from '#shared/domain/insights/session/session-log.ts';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import {
  ended,
  joined,
  later,
  left,
  rated,
  retracted,
  retractedEverywhere,
  started,
  withId,
} from '../../../../support/insights/session-facts.ts';
import { logOf } from '../../../../support/insights/session-views.ts';

/** Different joins of one participant, each of about as many bytes. */
const joins = (count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) =>
    withId(`join ${index} `.padEnd(bytes, 'x'), joined('ann', later('09:00', index * 1000))),
  );
const retractions = (count: number) => joins(count).map(retracted);
/** A log whose only block has this size, whatever its facts. */
const logOfBytes = (bytes: number, ...facts: readonly SessionFact[]) => {
  const log = sessionLog();
  log.append({ number: 1, facts, bytes });
  return log;
};
const refusalsOf = (log: ReturnType<typeof sessionLog>, ...facts: readonly SessionFact[]) => [
  ...log.select(facts).refused.keys(),
];

describe('the identity of a fact', () => {
  const join = joined('ann', '09:00');

  test.each<[string, SessionFact, SessionFact]>([
    ['a repeated event', join, { ...join }],
    ['an event with other data', join, joined('ann', '09:00', { displayName: 'Anna', roomName: '/other' })],
    ['a join and a leave', join, withId(join.id, left('ann', '09:00'))],
    [
      'two retractions of one event',
      retracted(join),
      { ...withId('other', retracted(join)), createdAt: later('09:00', 1) },
    ],
  ])('is the same for %s', (_what, one, other) => {
    expect(identityOf(one)).toBe(identityOf(other));
  });

  test.each<[string, SessionFact, SessionFact]>([
    ['an event with another id', join, withId('other', join)],
    ['at another time', join, withId(join.id, joined('ann', '09:01'))],
    ['of another participant', join, withId(join.id, joined('bob', '09:00'))],
    ['of another kind', join, withId(join.id, rated('ann', '09:00', 4))],
    ['a start and an end', started('09:00'), withId(started('09:00').id, ended('09:00'))],
    ['a retraction of another event', retracted(join), retracted(started('09:00'))],
    ['a retraction in every room', retracted(join), retractedEverywhere(join)],
    ['a retraction and the event', join, withId(join.id, retracted(join))],
  ])('differs for %s', (_what, one, other) => {
    expect(identityOf(one)).not.toBe(identityOf(other));
  });
});

describe('blocksOf', () => {
  const sizesOf = (facts: readonly SessionFact[]) => blocksOf(facts).map(({ length }) => length);

  test('splits facts by weight: 75 events, or the retractions of as many', () => {
    expect(sizesOf([])).toEqual([]);
    expect(sizesOf(joins(75))).toEqual([75]);
    expect(sizesOf(joins(151))).toEqual([75, 75, 1]);
    expect(sizesOf(retractions(4))).toEqual([3, 1]);
    expect(sizesOf([...joins(31), ...retractions(2)])).toEqual([32, 1]);
  });

  test('splits facts by size, and stores a fact of any size', () => {
    expect(sizesOf(joins(20, 40_000))).toEqual([6, 6, 6, 2]);
    expect(sizesOf(joins(2, 300_000))).toEqual([1, 1]);
  });

  test('keeps every fact in its order, within the limits', () => {
    const any = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 60_000 })), { maxLength: 80 });
    fc.assert(
      fc.property(any, (plan) => {
        const facts = plan.map(([isRetraction, bytes], index): SessionFact => {
          const join = joined('ann', later('09:00', index * 1000));
          const fact: SessionFact = isRetraction ? retracted(join) : join;
          return withId('x'.repeat(bytes), fact);
        });
        const blocks = blocksOf(facts);
        expect(blocks.flat()).toEqual(facts);
        for (const block of blocks) {
          expect(block.length).toBeGreaterThan(0);
          expect(block.reduce((sum, fact) => sum + weightOf(fact), 0)).toBeLessThanOrEqual(maxWeight);
          expect(bytesOf(block)).toBeLessThanOrEqual(260 * 1024);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('endOfStep', () => {
  test('counts as many blocks as one change can hold, and one at least', () => {
    const log = logOf(joins(50), joins(75).slice(50), retractions(3), [started('09:00')], [ended('10:00')]);
    expect([0, 1, 2, 3, 4, 5].map((version) => endOfStep(log, version))).toEqual([2, 2, 3, 5, 5, 5]);
    expect(endOfStep(logOf(joins(90)), 0)).toBe(1);
  });

  test('keeps the largest change within one transaction: sessions, rooms, moved starts and notices, and a segment for each visitor', () => {
    expect(5 * limits.rooms + maxWeight).toBeLessThanOrEqual(maxItemsPerTransaction);
  });
});

describe('a log', () => {
  test('has each fact once: the first one with its identity', () => {
    const [first, second] = [joined('ann', '09:00', { displayName: 'first' }), joined('ann', '09:00')];
    const log = logOf([first, second, started('08:00')], [second, ended('10:00')], [second]);
    expect(log.version).toBe(3);
    expect(log.blocks.map(({ facts }) => facts)).toEqual([[first, started('08:00')], [ended('10:00')], []]);
  });

  test('is complete if no block is missing, at the beginning or in between', () => {
    const logWith = (...numbers: readonly number[]) => {
      const log = sessionLog();
      for (const number of numbers) log.append({ number, facts: [], bytes: 0 });
      return [log.version, log.isComplete];
    };
    expect([logWith(), logWith(1, 2, 3), logWith(2, 3), logWith(1, 3)]).toEqual([
      [0, true],
      [3, true],
      [3, false],
      [3, false],
    ]);
  });

  test('knows the rooms of its events, and no room of a retraction', () => {
    const log = logOf([joined('ann', '09:00'), ended('10:00', { roomName: '/other' })], [retracted(started('09:00'))]);
    expect([...log.rooms]).toEqual(['/daily', '/other']);
    expect(logOf(retractions(1)).rooms.size).toBe(0);
  });

  test('selects new facts, each once, and leaves out known ones', () => {
    const [ann, bob] = [joined('ann', '09:00'), joined('bob', '09:00')];
    const log = logOf([ann]);
    expect(log.select([ann, bob, bob, retracted(ann), retracted(ann)])).toEqual({
      accepted: [bob, retracted(ann)],
      refused: new Map(),
    });
    expect(log.version).toBe(1);
  });
});

describe('a log refuses', () => {
  const client = [joined('ann', '09:00'), left('ann', '09:10'), rated('ann', '09:20', 4)];
  const others = [started('09:00'), ended('10:00'), retracted(joined('ann', '09:00'))];

  test('joins, leaves and ratings of a session with too many bytes, but no others', () => {
    expect(refusalsOf(logOfBytes(limits.eventBytes - blockOverhead - 1), ...client, ...others)).toEqual([]);
    expect(refusalsOf(logOfBytes(limits.eventBytes - blockOverhead), ...client, ...others)).toEqual(client);
    expect(refusalsOf(logOfBytes(limits.allBytes - blockOverhead - 1), ...client, ...others)).toEqual(client);
  });

  test('every new fact of a session that has reached its largest size, and none that it knows', () => {
    const [known, ...rest] = [...client, ...others];
    if (!known) throw new Error('There are facts.');
    expect(refusalsOf(logOfBytes(limits.allBytes, known), known, ...rest)).toEqual(rest);
  });

  const inRoom = (index: number) => joined('ann', later('09:00', index * 1000), { roomName: `/room-${index}` });
  const rooms = Array.from({ length: limits.rooms }, (_, index) => inRoom(index));
  const another = inRoom(limits.rooms);

  test('events of more rooms than can use one session id, also within one call', () => {
    expect(refusalsOf(logOf(rooms), another, joined('bob', '09:00', { roomName: '/room-0' }))).toEqual([another]);
    expect(refusalsOf(logOf(), ...rooms, another)).toEqual([another]);
    expect(refusalsOf(logOf(rooms), retracted(another))).toEqual([]);
  });

  const withOneId = (count: number) => joins(count).map((event) => withId('one', event));

  test('an event if too many have its id, also within one call', () => {
    const events = withOneId(limits.eventsWithOneId + 1);
    const [last] = events.slice(-1);
    expect(refusalsOf(logOf(events.slice(0, -1)), ...events, withId('other', started('08:00')))).toEqual([last]);
    expect(refusalsOf(logOf(), ...events)).toEqual([last]);
  });

  test('with a reason that names the field', () => {
    const reasonOf = (log: ReturnType<typeof sessionLog>, fact: SessionFact) => log.select([fact]).refused.get(fact);
    const reasons = [
      reasonOf(logOfBytes(limits.allBytes), started('09:00')),
      reasonOf(logOf(rooms), another),
      reasonOf(logOf(withOneId(limits.eventsWithOneId)), withId('one', started('09:00'))),
    ];
    for (const reason of reasons) expect(reason).toBeInstanceOf(UnreadableMessage);
    expect(reasons.map((reason) => reason?.issues.map(({ path }) => path))).toEqual([
      ['data.roomSessionId'],
      ['data.roomName'],
      ['id'],
    ]);
  });
});
