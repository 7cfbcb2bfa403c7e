import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { badPacketLoss } from '#shared/contracts/insights/session-network.ts';
import { splitIntoBlocks } from '#shared/domain/insights/network-series.ts';
import {
  blockSpans,
  isBadMinute,
  minuteAfter,
  minuteFrom,
  minuteOf,
  sessionMinutes,
  spanOf,
  sumsOfMinutes,
} from '#shared/domain/insights/session/session-minutes.ts';
import { block, type Values } from '../../../../support/insights/network-samples.ts';

const nine = '2026-03-02T09:00:00.000Z';
const start = Date.parse(nine);
const everything = { first: 0, end: Number.MAX_SAFE_INTEGER };
type Added = readonly [participantId: string, time: string, values: Values];

/** The figures of all minutes after these blocks were added, with a sample every second. */
function minutesOf(added: readonly Added[], window = everything) {
  const minutes = sessionMinutes(window);
  for (const [who, time, values] of added) {
    const own = block(time, values, 1000);
    minutes.add(who, Date.parse(own.startedAt), sumsOfMinutes(own));
  }
  return minutes.before(Number.POSITIVE_INFINITY).map(minutes.at);
}

describe('the sums of a block', () => {
  test('have an element for each minute that it touches, from that of its first sample on', () => {
    expect(sumsOfMinutes(block('2026-03-02T09:00:58.000Z', [1, 2, 3, 4], 1000))).toEqual([
      [2, 3, 2, 3, 2, 3, 2, 3, 2],
      [2, 7, 2, 7, 2, 7, 2, 7, 2],
    ]);
    expect(sumsOfMinutes(block(nine, [1, 2, 3], 3_600_000 / 2))).toHaveLength(61);
  });

  test('leave out samples without any value, and are empty for a minute without samples', () => {
    const own = {
      ...block('2026-03-02T09:00:30.000Z', [null, 1, null, null], 30_000),
      bitrateSend: [null, 1, null, 2],
    };
    expect(sumsOfMinutes(own)).toEqual([[], [1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 0, 0, 0, 2, 1, 0, 0]]);
  });

  test('are rounded to thousandths', () => {
    expect(sumsOfMinutes(block(nine, [0.1, 0.2, 1 / 3], 1000))[0]?.slice(0, 3)).toEqual([3, 0.633, 3]);
  });
});

describe('the figures of a minute', () => {
  test('count a participant once, with the mean of all blocks that touch the minute', () => {
    const added: Added[] = [
      ['ada', '2026-03-02T08:59:59.000Z', [9, 1]],
      ['ada', '2026-03-02T09:00:10.000Z', [2]],
      ['ben', '2026-03-02T09:00:30.000Z', [4]],
    ];
    expect(minutesOf(added)).toMatchObject([
      { minute: '2026-03-02T08:59:00.000Z', participants: 1, samples: 1, packetLossSend: { median: 9 } },
      {
        minute: nine,
        participants: 2,
        samples: 3,
        packetLossSend: { median: 1.5, p95: 4, max: 4 },
        bitrateRecv: { p5: 1.5 },
      },
    ]);
  });

  test('are percentiles by nearest rank over the means of the participants', () => {
    const people = Array.from({ length: 100 }, (_, index): Added => [`p${index}`, nine, [index + 1]]);
    const [minute] = minutesOf(people);
    expect(minute).toMatchObject({
      participants: 100,
      packetLossRecv: { median: 50, p95: 95, max: 100 },
      bitrateSend: { median: 50, p5: 5 },
      badParticipants: 96,
    });
  });

  test('are null where nobody has values', () => {
    const minutes = sessionMinutes(everything);
    const own = { ...block(nine, [null, null]), packetLossSend: [1, null] };
    minutes.add('ada', start, sumsOfMinutes(own));
    const none = { median: null, p95: null, max: null };
    expect(minutes.at(start)).toMatchObject({
      ...{ participants: 1, samples: 1, packetLossSend: { median: 1, p95: 1, max: 1 }, packetLossRecv: none },
      bitrateSend: { median: null, p5: null },
    });
  });

  test('are the same in every order of the blocks', () => {
    const value = fc.option(fc.integer({ min: 0, max: 10_000_000 }).map((thousandths) => thousandths / 1000));
    const one = fc.tuple(
      fc.constantFrom('ada', 'ben', 'eve'),
      fc.integer({ min: 0, max: 300 }).map((second) => new Date(start + second * 1000).toISOString()),
      fc.array(value, { minLength: 1, maxLength: 90 }),
    );
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (added) => {
        expect(minutesOf(added.toReversed())).toEqual(minutesOf(added));
      }),
    );
  });

  test('do not depend on the order in which fractions are added', () => {
    const added = [2.737, 4.076, 8.187].map((loss, index): Added => ['ada', `2026-03-02T09:00:0${index}.000Z`, [loss]]);
    for (const each of [added, added.toReversed()]) expect(minutesOf(each)).toMatchObject([{ badParticipants: 1 }]); // a mean of 5
  });

  test('are kept only for minutes in the window', () => {
    const added: Added[] = [['ada', '2026-03-02T08:59:00.000Z', Array.from({ length: 180 }, () => 1)]];
    const window = { first: start, end: minuteAfter(start) };
    expect(minutesOf(added, window).map(({ minute }) => minute)).toEqual([nine]);
  });
});

describe('a minute is bad', () => {
  test.each([
    ['sent', { packetLossSend: badPacketLoss, packetLossRecv: 0 }, true],
    ['received', { packetLossSend: null, packetLossRecv: badPacketLoss }, true],
    ['less, in both directions', { packetLossSend: badPacketLoss - 0.001, packetLossRecv: 4 }, false],
    ['nothing known', { packetLossSend: null, packetLossRecv: null }, false],
  ])('by its mean packet loss: %s', (_, means, isBad) => {
    expect(isBadMinute(means)).toBe(isBad);
  });
});

describe('the span of a block', () => {
  test.each([
    [1, 3_600_000, '1m'],
    [30, 2_000, '1m'],
    [31, 2_000, '10m'],
    [300, 2_000, '10m'],
    [301, 2_000, '1h'],
    [1800, 2_000, '1h'],
  ])('with %i samples every %i ms is %s', (length, rateMs, span) => {
    expect(
      spanOf(
        block(
          nine,
          Array.from({ length }, () => 1),
          rateMs,
        ),
      ),
    ).toBe(span);
  });

  test('contains all of its samples, whatever an event has', () => {
    const events = fc.tuple(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 100, max: 3_600_000 }));
    fc.assert(
      fc.property(events, ([length, rateMs]) => {
        for (const own of splitIntoBlocks(
          block(
            nine,
            Array.from({ length }, () => 1),
            rateMs,
          ),
        )) {
          const lengthMs = (own.packetLossSend.length - 1) * rateMs;
          expect(blockSpans.find(({ name }) => name === spanOf(own))?.ms).toBeGreaterThan(lengthMs);
        }
      }),
    );
  });
});

test('minutes begin at whole minutes of UTC', () => {
  expect([minuteOf(start - 1), minuteOf(start), minuteFrom(start), minuteFrom(start + 1)]).toEqual([
    start - 60_000,
    start,
    start,
    start + 60_000,
  ]);
});
