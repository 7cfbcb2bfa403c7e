import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { acme, at, daily, joined, left, sampled } from './told.ts';

const detailsOf = (events: readonly PlatformEvent[]) => recount(acme, events).detailsOf(daily.roomSessionId, 'ann');
/** One of the four series of each connection, and its rate; the series are equal in these tests. */
const seriesOf = (events: readonly PlatformEvent[]) =>
  detailsOf(events).map(({ sampleRateMs, samples }) => [sampleRateMs, samples.bitrateRecv]);

const ann = (time: string) => joined('ann', time);

it('has one element for each connection, recorders and streamers included, in the order of joining', () => {
  const events = [
    joined('ann', '09:20', { roleName: 'recorder' }),
    joined('ann', '09:00', { displayName: 'Ann', roleName: 'host', userAgent: 'Browser/1' }),
    left('ann', '09:10'),
  ];

  const samples = { packetLossSend: [], packetLossRecv: [], bitrateSend: [], bitrateRecv: [] };
  const first = { displayName: 'Ann', userRole: 'host', userAgent: 'Browser/1' };
  const second = { displayName: 'ann', userRole: 'recorder', userAgent: null };
  expect(detailsOf(events)).toEqual([
    { ...first, timeStamp: at('09:00'), samplesFrom: at('09:00'), sampleRateMs: null, samples },
    { ...second, timeStamp: at('09:20'), samplesFrom: at('09:20'), sampleRateMs: null, samples },
  ]);
});

describe('samples', () => {
  it('stand in the interval in which they were taken, null where none was, to the end of the last', () => {
    const events = [ann('09:00'), sampled('ann', '09:00:04', [1, null, 3]), sampled('ann', '09:00:12', [6, null])];

    expect(seriesOf(events)).toEqual([[2000, [null, null, 1, null, 3, null, 6, null]]]);
  });

  it('count to the interval that they were meant for, up to a tenth of it early', () => {
    const events = [ann('09:00'), sampled('ann', '09:00:03.800', [1]), sampled('ann', '09:00:07.799', [2])];

    expect(seriesOf(events)).toEqual([[2000, [null, null, 1, 2]]]);
  });

  it('before the join are left out, though the rate is theirs', () => {
    expect(seriesOf([ann('09:00'), sampled('ann', '08:59:58', [1, 2])])).toEqual([[2000, [2]]]);
    expect(seriesOf([ann('09:00'), sampled('ann', '08:59:58', [1])])).toEqual([[2000, []]]);
  });

  it('of one interval are those of the part that begins later, and then of the larger event id', () => {
    const overlapping = [
      ann('09:00'),
      sampled('ann', '09:00:01.900', [8, 9], { id: 'a' }),
      sampled('ann', '09:00', [1, 2, 3, 4], { id: 'b' }),
    ];
    const twoIds = [
      ann('09:00'),
      sampled('ann', '09:00', [1, 2], { id: 'b' }),
      sampled('ann', '09:00', [8, null, 9], { id: 'a' }),
    ];

    expect(seriesOf(overlapping)).toEqual([[2000, [1, 8, 9, 4]]]);
    expect(seriesOf(twoIds)).toEqual([[2000, [1, 2, 9]]]);
  });

  it('of one interval may be that nothing could be measured', () => {
    const events = [ann('09:00'), sampled('ann', '09:00', [1, 2]), sampled('ann', '09:00:02', [null])];

    expect(seriesOf(events)).toEqual([[2000, [1, null]]]);
  });

  it('are those that came first, of two events with one start and one id', () => {
    const [first, second] = [[1, 2], [8]].map((values) => sampled('ann', '09:00', values, { id: 'same' }));

    expect(seriesOf([ann('09:00'), first, second] as PlatformEvent[])).toEqual([[2000, [1, 2]]]);
    expect(seriesOf([ann('09:00'), second, first] as PlatformEvent[])).toEqual([[2000, [8]]]);
  });

  it('of several rates stand in intervals of the smallest', () => {
    const events = [
      ann('09:00'),
      sampled('ann', '09:00', [1, 2], { sampleRateMs: 3000 }),
      sampled('ann', '09:00:06', [7, 8], { sampleRateMs: 1000 }),
    ];

    expect(seriesOf(events)).toEqual([[1000, [1, null, null, 2, null, null, 7, 8]]]);
  });

  it('belong to the connection that began last before them, or up to 5 s after', () => {
    const joins = [ann('09:00'), ann('09:10')];

    expect(seriesOf([...joins, sampled('ann', '09:09:54.999', [1])]).map(([rate]) => rate)).toEqual([2000, null]);
    expect(seriesOf([...joins, sampled('ann', '09:09:55', [1])])).toEqual([
      [null, []],
      [2000, []],
    ]);
    expect(seriesOf([...joins, sampled('ann', '09:10', [1])])).toEqual([
      [null, []],
      [2000, [1]],
    ]);
  });

  it('before every join belong to the first connection', () => {
    const events = [ann('09:00'), ann('09:10'), sampled('ann', '08:59:50', [1, 2, 3, 4, 5, 6])];

    expect(seriesOf(events)).toEqual([
      [2000, [6]],
      [null, []],
    ]);
  });

  it('of one event stay together within an hour, though another connection began meanwhile', () => {
    const events = [ann('09:00'), ann('09:00:10'), sampled('ann', '09:00', [1, 2, 3, 4, 5, 6, 7])];

    expect(seriesOf(events)).toEqual([
      [2000, [1, 2, 3, 4, 5, 6, 7]],
      [null, []],
    ]);
  });

  it('of a long event are parted after an hour, and after 1800', () => {
    const joins = [ann('09:00'), ann('09:30'), ann('10:30')];
    const everyMinute = Array.from({ length: 120 }, (_, minute) => minute);
    const everySecond = Array.from({ length: 1801 }, (_, second) => second);

    const byHour = seriesOf([...joins, sampled('ann', '09:00', everyMinute, { sampleRateMs: 60_000 })]);
    expect(byHour).toEqual([
      [60_000, everyMinute.slice(0, 60)],
      [60_000, [...Array(30).fill(null), ...everyMinute.slice(60)]],
      [null, []],
    ]);
    const by1800 = seriesOf([...joins, sampled('ann', '09:00', everySecond, { sampleRateMs: 1000 })]);
    expect(by1800).toEqual([
      [1000, everySecond.slice(0, 1800)],
      [1000, [1800]],
      [null, []],
    ]);
  });

  it('of nobody who joined are nowhere', () => {
    expect(detailsOf([joined('bob', '09:00'), sampled('ann', '09:00', [1])])).toEqual([]);
  });

  it('count once, however often they come', () => {
    const event = sampled('ann', '09:00', [1, 2]);

    expect(seriesOf([event, ann('09:00'), event])).toEqual([[2000, [1, 2]]]);
  });
});
