import { describe, expect, test } from 'vitest';
import type { ParticipantSessionDetail, SessionMinute } from '../../../client/types.ts';
import { participant } from '../../../console/texts/en/participant.ts';
import {
  decimate,
  gridOf,
  timesOf,
  valueAt,
  valuesOf,
} from '../../../console/views/insights/participant/network/decimate.ts';
import {
  badRuns,
  coverageOf,
  minutesOf,
  sessionSeries,
} from '../../../console/views/insights/participant/network/minutes.ts';
import {
  connectionsOf,
  lanesOf,
  nextWindow,
  rateOf,
  seriesOf,
  withWindow,
} from '../../../console/views/insights/participant/network/samples.ts';
import { readOthers, writeOthers } from '../../../console/views/insights/participant/others.ts';

const start = Date.UTC(2026, 2, 1, 10);
const iso = (offsetMs: number) => new Date(start + offsetMs).toISOString();
const minute = 60_000;

type Given = { readonly joined?: number; readonly from?: number; readonly rateMs?: number };

function detail(loss: readonly (number | null)[], { joined = 0, from = joined, rateMs = 2000 }: Given = {}) {
  const samples = {
    packetLossSend: [...loss],
    packetLossRecv: loss.map(() => 1),
    bitrateSend: [...loss],
    bitrateRecv: [...loss],
  };
  return {
    ...{ displayName: 'Ada', userRole: 'participant', userAgent: '', sampleRateMs: rateMs, samples },
    ...{ timeStamp: iso(joined), samplesFrom: iso(from), events: [{ type: 'joined', timeStamp: iso(joined) }] },
  } satisfies ParticipantSessionDetail;
}

const noSamples = { packetLossSend: [null], packetLossRecv: [null], bitrateSend: [null], bitrateRecv: [null] };

describe('connections in windows', () => {
  test('are joined by the time of joining, and by their order if they began at once', () => {
    const first = connectionsOf([detail([1]), detail([10]), detail([], { joined: 5000 })]);
    const later = connectionsOf([
      detail([2], { from: 2000 }),
      detail([20], { from: 2000 }),
      detail([3], { joined: 5000 }),
    ]);
    const joined = withWindow(first, later);
    const losses = joined.map((each) => seriesOf(each, 'packetLossSend').map(({ values }) => [...values]));
    expect(losses).toEqual([[[1], [2]], [[10], [20]], [[3]]]);
    expect(rateOf(joined)).toBe(2000);
    expect(rateOf(connectionsOf([detail([])]))).toBeUndefined();
  });

  test('are fetched by the hour until the rate is known, and then by the number of samples', () => {
    const day = 24 * 60 * minute;
    expect(nextWindow(0, day, undefined)).toEqual({ from: 0, to: 60 * minute });
    expect(nextWindow(0, day, 2000)).toEqual({ from: 0, to: 500 * minute });
    expect(nextWindow(0, day, 100)).toEqual({ from: 0, to: 25 * minute });
    expect(nextWindow(day - 5, day, 2000)).toEqual({ from: day - 5, to: day });
  });

  test('share a line unless they have samples at the same time', () => {
    const [one, overlapping, after] = connectionsOf([
      detail([1, 2, 3]),
      detail([1], { joined: 2000 }),
      detail([1], { joined: 8000 }),
    ]);
    if (!one || !overlapping || !after) throw new Error('There are three connections.');
    expect(lanesOf([one, overlapping, after])).toEqual([[one, after], [overlapping]]);
    expect(lanesOf(connectionsOf([detail([])]))).toEqual([]);
  });
});

describe('decimate', () => {
  const series = (values: readonly (number | null)[], given?: Given) =>
    connectionsOf([detail(values, given)]).flatMap((each) => seriesOf(each, 'packetLossSend'));
  const window = { from: start, to: start + 8000 };

  test('has the lowest and the highest value of each column', () => {
    const columns = decimate(series([1, 5, 2, 4], { rateMs: 2000 }), { ...window, columns: 2 });
    expect(valuesOf(columns)).toEqual([1, 5, 2, 4]);
  });

  test('leaves gaps where samples are missing', () => {
    const columns = decimate(series([1, null, null, 4]), { ...window, columns: 4 });
    expect(valuesOf(columns)).toEqual([1, 1, null, null, null, null, 4, 4]);
  });

  test('lets a sample stand until the next one, so that slower samples are no gaps', () => {
    const columns = decimate(series([3, 7], { rateMs: 4000 }), { ...window, columns: 4 });
    expect(valuesOf(columns)).toEqual([3, 3, 3, 3, 7, 7, 7, 7]);
  });

  test('takes only what is in the window, with the sample that began before it', () => {
    const columns = decimate(series([1, 2, 3, 4, 5]), { from: start + 3000, to: start + 7000, columns: 4 });
    expect(valuesOf(columns)).toEqual([2, 2, 3, 3, 3, 3, 4, 4]);
  });

  test('has one sample in each column at the rate of the samples, whatever the window', () => {
    const many = series(Array.from({ length: 2000 }, (_, index) => index));
    for (const from of [0, 14_000, 1_234_000]) {
      const shown = { from: start + from, to: start + from + 600_000 };
      const values = valuesOf(decimate(many, gridOf(shown, 1200, 2000)));
      expect(values.filter((_, index) => index % 2 === 0)).toEqual(
        Array.from({ length: 300 }, (_, index) => from / 2000 + index),
      );
    }
  });

  test('has no narrower columns than samples, and two times in each column', () => {
    expect(gridOf(window, 1000, 2000).columns).toBe(4);
    expect(gridOf(window, 3, 2000).columns).toBe(3);
    expect(timesOf({ from: 0, to: 40, columns: 2 })).toEqual([0, 10, 20, 30]);
  });

  test('reads the value at a time', () => {
    const values = series([1, null, 3]);
    expect([0, 1999, 2000, 4000, 6000].map((offset) => valueAt(values, start + offset))).toEqual([1, 1, null, 3, null]);
  });
});

describe('bad minutes', () => {
  const limit = 5;
  const loss = (...means: (number | null)[]) => connectionsOf([detail(means, { rateMs: minute })]);

  test('are those with a mean loss of the limit or more', () => {
    const people = connectionsOf([detail([4, 6, 4.9, 5, null], { rateMs: minute / 2 })]);
    expect(minutesOf(people).map(({ packetLossSend }) => packetLossSend)).toEqual([5, 4.95, null]);
    expect(badRuns(minutesOf(people), limit)).toEqual([
      { from: start, to: start + minute, packetLossSend: 5, packetLossRecv: 1 },
    ]);
  });

  test('are one run if they follow each other, with the highest loss', () => {
    expect(badRuns(minutesOf(loss(1, 6, 9, null, 7)), limit)).toMatchObject([
      { from: start + minute, to: start + 3 * minute, packetLossSend: 9 },
      { from: start + 4 * minute, to: start + 5 * minute, packetLossSend: 7 },
    ]);
  });

  test('are not known of minutes without packet loss, which are counted apart', () => {
    const people = loss(1, 6).map((each) => ({ ...each, leftAt: start + 5 * minute }));
    expect(coverageOf(people, minutesOf(people), start + 5 * minute)).toEqual({ measured: 2, unmeasured: 3 });
    expect(minutesOf(connectionsOf([{ ...detail([null]), samples: noSamples }]))).toEqual([]);
  });

  test('count the samples of all connections and windows together', () => {
    const pieces = withWindow(loss(2), connectionsOf([detail([10], { from: 30_000, rateMs: minute })]));
    expect(minutesOf(pieces)).toMatchObject([{ minute: start, packetLossSend: 6 }]);
    expect(minutesOf(pieces)).toMatchObject([{ minute: start, packetLossSend: 6 }]);
  });
});

describe('sessionSeries', () => {
  const figures = (at: number, median: number): SessionMinute => ({
    ...{ minute: iso(at), participants: 3, samples: 90, badParticipants: 1 },
    ...{ packetLossSend: { median, p95: 8, max: 9 }, packetLossRecv: { median: 1, p95: 2, max: 3 } },
    ...{ bitrateSend: { median: 100, p5: 10 }, bitrateRecv: { median: 200, p5: 20 } },
  });

  test('has a value a minute, and a gap for a minute that is absent', () => {
    const minutes = [figures(0, 4), figures(2 * minute, 6)];
    const values = (name: 'packetLossSend' | 'bitrateSend', figure: 'median' | 'worst') =>
      sessionSeries(minutes, name, figure).flatMap((each) => [...each.values]);
    expect(values('packetLossSend', 'median')).toEqual([4, Number.NaN, 6]);
    expect(values('packetLossSend', 'worst')).toEqual([8, Number.NaN, 8]);
    expect(values('bitrateSend', 'worst')).toEqual([10, Number.NaN, 10]);
    expect(sessionSeries([], 'bitrateSend', 'median')).toEqual([]);
  });

  test('has no value of one person, because it would not be one of the session', () => {
    const [alone] = sessionSeries([{ ...figures(0, 4), participants: 1 }], 'packetLossSend', 'median');
    expect([...(alone?.values ?? [])]).toEqual([Number.NaN]);
  });

  test('can be of the one of two people who sent the series, so its name says of whom it is', () => {
    const silent = { median: null, p95: null, max: null };
    const minutes = [{ ...figures(0, 4), participants: 2, packetLossSend: silent }];
    expect(sessionSeries(minutes, 'packetLossSend', 'median')[0]?.values).toEqual(new Float64Array([Number.NaN]));
    expect(sessionSeries(minutes, 'bitrateSend', 'median')[0]?.values).toEqual(new Float64Array([100]));
    const { median, worst, p95, p5 } = participant.lines;
    for (const name of [median, worst, p95, p5]) expect(name).toMatch(/ of senders$/);
  });
});

describe('the others of an address', () => {
  test('are read as they were written, also with commas and percent signs', () => {
    const ids = ['a,b', '100%', '%2C', '<b>'];
    expect(readOthers(writeOthers(ids), 'own')).toEqual(ids);
    expect(writeOthers([])).toBeUndefined();
  });

  test('are at most five, each once, without the participant', () => {
    expect(readOthers('own,a,a,b,,c,d,e,f', 'own')).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(readOthers(undefined, 'own')).toEqual([]);
  });
});
