import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf } from '#shared/domain/insights/participant-record.ts';
import { visitorsPerSegment } from '#shared/domain/insights/room-visitors.ts';
import { noUsage, noVisitors, plus } from '#shared/domain/insights/usage.ts';
import { anyFacts, inAnyOrder, inAnyParts } from '../../../support/insights/any-facts.ts';
import { joined } from '../../../support/insights/session-facts.ts';
import { sessionLedger } from '../../../support/insights/session-ledger.ts';

type Ledger = ReturnType<typeof sessionLedger>;

/** What the totals of a room must be: they are counted from its sessions, not changed step by step. */
function recounted({ sessions, views }: Ledger, roomName: string) {
  const own = [...sessions.values()].filter((session) => session.roomName === roomName);
  const starts = own.flatMap(({ startedAt }) => startedAt ?? []).toSorted();
  const visitors = [...views.values()].flatMap(({ rooms }) => [...(rooms.get(roomName)?.visitors.values() ?? [])]);
  const different = new Map(visitors.map((visitor) => [nameOf(visitor), visitor]));
  return {
    sessions: starts.length,
    firstSessionStartedAt: starts[0] ?? null,
    lastSessionStartedAt: starts.at(-1) ?? null,
    usage: own.map(({ usage }) => usage).reduce(plus, noUsage),
    visitors: [...different.values()].reduce((sum, { kind }) => plus(sum, { ...noVisitors, [kind]: 1 }), noVisitors),
  };
}

/** Expects that rooms agree with their sessions, and sessions with their facts. */
function expectTotals(ledger: Ledger) {
  for (const [roomName, room] of ledger.rooms) expect(room).toMatchObject(recounted(ledger, roomName));
  for (const { roomName, roomSessionId, startedAt, endedAt, usage, version } of ledger.sessions.values()) {
    const view = ledger.views.get(roomSessionId);
    expect(view?.version).toBe(version);
    expect(view?.rooms.get(roomName)).toMatchObject({ startedAt, endedAt, usage });
  }
}

test('the totals of a room are the sums over its sessions after every block of any history', () => {
  const histories = anyFacts({ sessions: 3, maxLength: 20 }).chain(inAnyOrder).chain(inAnyParts);
  fc.assert(
    fc.property(histories, (parts) => {
      const ledger = sessionLedger();
      for (const part of parts)
        for (const [roomSessionId, facts] of Map.groupBy(part, ({ data }) => data.roomSessionId)) {
          ledger.count(facts, roomSessionId);
          expectTotals(ledger);
        }
    }),
    { numRuns: 150 },
  );
});

test('a guessed join leaves nothing in its room after an observed one in another room counts instead', () => {
  const ledger = sessionLedger();
  const observed = joined('ann', '09:00');
  ledger.count([{ ...observed, inferred: true, reason: 'test' }]);
  ledger.count([{ ...observed, data: { ...observed.data, roomName: '/other' } }]);
  expectTotals(ledger);
  expect(ledger.rooms.get(observed.data.roomName)).toMatchObject({ sessions: 0, visitors: noVisitors });
});

test('a room with more visitors than one segment holds counts each of them once', () => {
  const visitors = 20 * visitorsPerSegment;
  const facts = Array.from({ length: visitors }, (_, index) => joined(`person ${index}`, '09:00'));
  const ledger = sessionLedger();
  for (let start = 0; start < visitors; start += 50) ledger.count(facts.slice(start, start + 50));
  expectTotals(ledger);
  expect([...ledger.rooms.values()][0]?.visitors.participant).toBe(visitors);
  for (const { sessions } of ledger.segments.values()) expect(sessions.size).toBeLessThanOrEqual(visitorsPerSegment);
});
