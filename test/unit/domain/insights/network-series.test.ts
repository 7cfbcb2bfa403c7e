import { describe, expect, test } from 'vitest';
import { ParticipantSessionDetails } from '#shared/contracts/insights/insight-operations.ts';
import { sampleSeries } from '#shared/contracts/insights/insights.ts';
import type { SampleBlock } from '#shared/contracts/insights/network-samples.ts';
import type { ClientJoined } from '#shared/contracts/insights/session-events.ts';
import {
  countedSamples,
  participantDetails,
  refuseTooMany,
  type TimeRange,
} from '#shared/domain/insights/network-series.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { block, seriesOf, type Values } from '../../../support/insights/network-samples.ts';
import { at, joined, later } from '../../../support/insights/session-facts.ts';

const nine = '09:00';
const join = joined('ann', nine);
const ms = (count: number) => later(nine, count);

/** The details of connections without events. */
function detailsOf(joins: readonly ClientJoined[], blocks: readonly SampleBlock[], range: TimeRange, rate = 2000) {
  const connections = joins.map((join) => ({ joined: join, events: [] }));
  return participantDetails(connections, blocks, range, rate);
}

/** The series of the one connection that starts at 09:00. All four series are equal. */
function seriesFrom(blocks: readonly SampleBlock[], range: TimeRange = {}) {
  const [detail, ...more] = detailsOf([join], blocks, range);
  if (!detail || more.length > 0) throw new Error('There is not one connection.');
  for (const name of sampleSeries) expect(detail.samples[name]).toEqual(detail.samples.bitrateSend);
  return { from: detail.samplesFrom, rateMs: detail.sampleRateMs, values: detail.samples.bitrateSend };
}
const valuesFrom = (...blocks: readonly SampleBlock[]) => seriesFrom(blocks).values;

describe('the details of a connection', () => {
  test('have the fields of the contract, the data of its join, and its events', () => {
    const facts = { displayName: 'Ann', roleName: 'host', userAgent: 'Firefox' };
    const events = [{ type: 'joined' as const, timeStamp: at(nine) }];
    const connections = [{ joined: joined('ann', nine, facts), events }];
    const details = participantDetails(connections, [block(nine, [1, null])], {}, 2000);
    expect(ParticipantSessionDetails.parse(details)).toEqual(details);
    expect(details).toEqual([
      {
        ...{ displayName: 'Ann', userRole: 'host', userAgent: 'Firefox' },
        ...{ timeStamp: at(nine), samplesFrom: at(nine), sampleRateMs: 2000, samples: seriesOf([1, null]) },
        events,
      },
    ]);
  });

  test('have four empty series and the usual rate without samples', () => {
    expect(seriesFrom([])).toEqual({ from: at(nine), rateMs: 2000, values: [] });
    expect(detailsOf([join], [], { from: at('09:30') })[0]).toMatchObject({
      userAgent: '',
      samplesFrom: at(nine),
    });
  });

  test('have the given rate only without samples', () => {
    const rateOf = (...blocks: SampleBlock[]) => detailsOf([join], blocks, {}, 500)[0]?.sampleRateMs;
    expect([rateOf(), rateOf(block(nine, [1], 4000))]).toEqual([500, 4000]);
  });

  test('do not exist without a join', () => {
    expect(detailsOf([], [block(nine, [1])], {})).toEqual([]);
  });

  test('keep the four series apart', () => {
    const own = { ...block(nine, [1]), packetLossSend: [2], packetLossRecv: [3], bitrateRecv: [4] };
    expect(detailsOf([join], [own], {})[0]?.samples).toEqual({
      ...{ packetLossSend: [2], packetLossRecv: [3], bitrateSend: [1], bitrateRecv: [4] },
    });
  });
});

describe('a series', () => {
  test.each<[what: string, blocks: readonly SampleBlock[], values: Values]>([
    ['begins with the join and ends with the last sample', [block('09:00:04', [1, 2])], [null, null, 1, 2]],
    ['keeps the gaps that were sent, including the last', [block(nine, [1, null, 3, null])], [1, null, 3, null]],
    ['has gaps for intervals without samples', [block(nine, [1]), block('09:00:06', [4])], [1, null, null, 4]],
    ['continues from block to block', [block(nine, [1, 2]), block('09:00:04', [3])], [1, 2, 3]],
    ['omits samples taken before the join', [block('08:59:56', [1, 2, 3, 4])], [3, 4]],
    ['is empty if all samples were taken before the join', [block('08:59:56', [1, 2])], []],
  ])('%s', (_what, blocks, values) => {
    expect(valuesFrom(...blocks)).toEqual(values);
  });

  test.each([
    [0, 0],
    [1, 0],
    [1799, 0],
    [1800, 1],
    [2000, 1],
    [3799, 1],
    [3800, 2],
    [-1, 0],
    [-200, 0],
    [-201, -1],
  ])('puts a sample taken %d ms after the join into interval %d', (offset, interval) => {
    expect(valuesFrom(block(ms(offset), [7])).indexOf(7)).toBe(interval);
  });

  test('has a sample in each interval if the sender is slightly late or early', () => {
    for (const drift of [-199, -100, 100, 1500]) {
      expect(valuesFrom(block(ms(drift), [1, 2, 3, 4]))).toEqual([1, 2, 3, 4]);
    }
  });

  test('uses the later block where blocks overlap, even if it has a gap', () => {
    expect(valuesFrom(block(nine, [1, 2, 3]), block('09:00:02', [8, null]))).toEqual([1, 8, null]);
    expect(valuesFrom(block(nine, [1, 2, 3]), block(nine, [8]))).toEqual([8, 2, 3]);
  });
});

describe('with several sample rates', () => {
  test('all series use the smallest interval', () => {
    const blocks = [block(nine, [1, 2], 2000), block('09:00:04', [3, 4], 1000), block('09:00:06', [5], 4000)];
    expect(seriesFrom(blocks)).toMatchObject({ rateMs: 1000, values: [1, null, 2, null, 3, 4, 5] });
  });

  test('of which none divides another, each sample is in the interval in which it was taken', () => {
    const blocks = [block(nine, [1, 2, 3, 4], 3000), block('09:00:12', [5], 2000)];
    // Taken after 0, 3, 6, 9 and 12 seconds, in intervals of two.
    expect(seriesFrom(blocks)).toMatchObject({ rateMs: 2000, values: [1, 2, null, 3, 4, null, 5] });
  });

  test('each connection uses its own interval', () => {
    const joins = [join, joined('ann', '09:10')];
    const details = detailsOf(joins, [block(nine, [1], 500), block('09:10', [2], 4000)], {});
    expect(details.map(({ sampleRateMs }) => sampleRateMs)).toEqual([500, 4000]);
  });
});

describe('with several connections', () => {
  const joins = ['09:00', '09:10', '09:20'].map((time) => joined('ann', time));
  const placeOf = (time: string) =>
    detailsOf(joins, [block(time, [7, 7, 7, 7, 7, 7], 3000)], {}).findIndex(
      ({ sampleRateMs }) => sampleRateMs === 3000,
    );

  test.each([
    ['08:00', 0],
    ['09:00', 0],
    ['09:09:54.999', 0],
    ['09:09:55', 1],
    ['09:10', 1],
    ['09:19:54.999', 1],
    ['09:19:55', 2],
    ['12:00', 2],
  ])('a block that starts at %s belongs entirely to connection %d', (time, number) => {
    expect(placeOf(time)).toBe(number);
  });

  test('a block that extends into the next connection stays with the connection in which it starts', () => {
    const [first, second] = detailsOf(joins.slice(0, 2), [block('09:09:50', [1, 2, 3, 4, 5, 6, 7])], {});
    expect(first?.samples.bitrateSend.slice(295)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(second?.samples.bitrateSend).toEqual([]);
  });

  test('that start at the same time, the last one has the samples', () => {
    const [one, other] = detailsOf([join, joined('ann', nine)], [block(nine, [1])], {});
    expect([one?.samples.bitrateSend, other?.samples.bitrateSend]).toEqual([[], [1]]);
  });
});

describe('a time range', () => {
  const blocks = [block(nine, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])];

  test.each<[TimeRange, from: number, Values]>([
    [{ from: ms(0) }, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ from: at('08:00') }, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ from: ms(4000) }, 4000, [2, 3, 4, 5, 6, 7, 8, 9]],
    [{ from: ms(4001) }, 6000, [3, 4, 5, 6, 7, 8, 9]],
    [{ from: ms(3999) }, 4000, [2, 3, 4, 5, 6, 7, 8, 9]],
    [{ from: ms(18_000) }, 18_000, [9]],
    [{ from: ms(18_001) }, 20_000, []],
    [{ to: ms(4000) }, 0, [0, 1]],
    [{ to: ms(4001) }, 0, [0, 1, 2]],
    [{ to: ms(3999) }, 0, [0, 1]],
    [{ to: ms(0) }, 0, []],
    [{ to: at('08:00') }, 0, []],
    [{ to: at('12:00') }, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
    [{ from: ms(4000), to: ms(8000) }, 4000, [2, 3]],
    [{ from: ms(4001), to: ms(4002) }, 6000, []],
  ])('of %j returns the samples taken in it and its actual start', (range, from, values) => {
    expect(seriesFrom(blocks, range)).toEqual({ from: ms(from), rateMs: 2000, values });
  });

  test('cuts every series at a whole interval after the join, wherever the range starts', () => {
    const whole = seriesFrom(blocks).values;
    for (let offset = 0; offset <= 20_000; offset += 250) {
      const { from, values } = seriesFrom(blocks, { from: ms(offset) });
      const first = Math.ceil(offset / 2000);
      expect([from, values]).toEqual([ms(first * 2000), whole.slice(first)]);
      expect(seriesFrom(blocks, { to: ms(offset) }).values).toEqual(whole.slice(0, first));
    }
  });
});

describe('the limit of elements per series', () => {
  const issues = ['from', 'to'].map((path) => ({
    path,
    message: 'must narrow the answer: it would have more than 864000 elements in each series',
  }));
  const dayLater = (count: number) => new Date(Date.parse(at(nine)) + count * 86_400_000).toISOString();

  test('throws an InvalidRequest that names from and to', () => {
    expect(() => refuseTooMany(864_000)).not.toThrow();
    expect(() => refuseTooMany(864_001)).toThrow(InvalidRequest);
    expect(() => refuseTooMany(864_001)).toThrow(expect.objectContaining({ issues }));
  });

  test('counts gaps too, and fails fast for any distance between samples', () => {
    for (const days of [2, 3650, 1_000_000]) {
      const far = [block(nine, [1], 100), block(dayLater(days), [1], 100)];
      expect(() => detailsOf([join], far, {})).toThrow(expect.objectContaining({ issues }));
      expect(seriesFrom(far, { to: ms(300) }).values).toEqual([1, null, null]);
      expect(seriesFrom(far, { from: dayLater(days) }).values).toEqual([1]);
    }
  });

  test('applies to all connections together', () => {
    const joins = [join, joined('ann', dayLater(1))];
    const blocks = [
      block(later(nine, 60_000_000), [1], 100),
      block(new Date(Date.parse(dayLater(1)) + 60_000_000).toISOString(), [1], 100),
    ];
    expect(() => detailsOf(joins.slice(0, 1), blocks.slice(0, 1), {})).not.toThrow();
    expect(() => detailsOf(joins, blocks, {})).toThrow(InvalidRequest);
  });
});

test('a block counts as its samples, and as at least ten', () => {
  const counted = (length: number) => countedSamples({ packetLossSend: Array(length).fill(0) });
  expect([1, 10, 1800].map(counted)).toEqual([10, 10, 1800]);
});
