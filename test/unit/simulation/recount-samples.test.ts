import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { acme, at, daily, joined, left, platformEvent, rated, sampled } from './platform-events.ts';

const detailsOf = (events: readonly PlatformEvent[]) => recount(acme, events).detailsOf(daily.roomSessionId, 'ann');
/** The rate and one of the four series of each connection. The four series are equal in these tests. */
const seriesOf = (events: readonly PlatformEvent[]) =>
  detailsOf(events).map(({ sampleRateMs, samples }) => [sampleRateMs, samples.bitrateRecv]);

const ann = (time: string) => joined('ann', time);

it('detailsOf returns one element for each connection, with recorders and streamers, in the order of their joins', () => {
  const events = [
    joined('ann', '09:20', { roleName: 'recorder' }),
    joined('ann', '09:00', { displayName: 'Ann', roleName: 'host', userAgent: 'Browser/1' }),
    left('ann', '09:10'),
  ];

  const samples = { packetLossSend: [], packetLossRecv: [], bitrateSend: [], bitrateRecv: [] };
  const first = { displayName: 'Ann', userRole: 'host', userAgent: 'Browser/1' };
  const second = { displayName: 'ann', userRole: 'recorder', userAgent: '' };
  expect(detailsOf(events).map(({ events: _, ...detail }) => detail)).toEqual([
    { ...first, timeStamp: at('09:00'), samplesFrom: at('09:00'), sampleRateMs: 2000, samples },
    { ...second, timeStamp: at('09:20'), samplesFrom: at('09:20'), sampleRateMs: 2000, samples },
  ]);
});

describe('the events of a connection', () => {
  const eventsOf = (events: readonly PlatformEvent[]) =>
    detailsOf(events).map((detail) => detail.events.map(({ type, timeStamp }) => `${type} ${timeStamp.slice(11, 16)}`));

  it('are its join and its leave, but not the end of the session or of what counts', () => {
    expect(eventsOf([ann('09:00'), left('ann', '09:10'), ann('09:05')])).toEqual([
      ['joined 09:00', 'left 09:10'],
      ['joined 09:05'],
    ]);
    expect(eventsOf([ann('09:00'), platformEvent('room.session.ended', '10:00', daily)])).toEqual([['joined 09:00']]);
    const others = [left('ann', '09:10', { ...daily, roomName: '/other' }), left('bob', '09:10')];
    expect(eventsOf([ann('09:00'), ...others])).toEqual([['joined 09:00']]);
  });

  it('have a leave that is dated before its join at the time of the join', () => {
    const [events] = detailsOf([ann('09:00:03'), left('ann', '09:00')]).map((detail) => detail.events);

    expect(events?.map(({ timeStamp }) => timeStamp)).toEqual([at('09:00:03'), at('09:00:03')]);
  });

  it('contain each rating once: in the connection that began last before it, or in the first one', () => {
    const ratings = ['08:50', '09:09', '09:10', '09:30'].map((time) => rated('ann', time, 4));

    expect(eventsOf([ann('09:10'), ...ratings, ann('09:00'), rated('bob', '09:05', 1)])).toEqual([
      ['rated 08:50', 'joined 09:00', 'rated 09:09'],
      ['joined 09:10', 'rated 09:10', 'rated 09:30'],
    ]);
    const elsewhere = rated('ann', '09:30', 4, { roomName: '/other' });
    expect(eventsOf([ann('09:00'), elsewhere])).toEqual([['joined 09:00']]);
  });
});

describe('samples', () => {
  it('are placed in the interval in which they were measured, with null in gaps', () => {
    const events = [ann('09:00'), sampled('ann', '09:00:04', [1, null, 3]), sampled('ann', '09:00:12', [6, null])];

    expect(seriesOf(events)).toEqual([[2000, [null, null, 1, null, 3, null, 6, null]]]);
  });

  it('belong to the next interval if they are at most a tenth of it early', () => {
    const events = [ann('09:00'), sampled('ann', '09:00:03.800', [1]), sampled('ann', '09:00:07.799', [2])];

    expect(seriesOf(events)).toEqual([[2000, [null, null, 1, 2]]]);
  });

  it('from before the join are left out, but their rate still counts', () => {
    expect(seriesOf([ann('09:00'), sampled('ann', '08:59:58', [1, 2])])).toEqual([[2000, [2]]]);
    expect(seriesOf([ann('09:00'), sampled('ann', '08:59:58', [1])])).toEqual([[2000, []]]);
  });

  it('of one interval come from the event that starts later, and then from the larger event ID', () => {
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

  it('of one interval can be null if nothing could be measured', () => {
    const events = [ann('09:00'), sampled('ann', '09:00', [1, 2]), sampled('ann', '09:00:02', [null])];

    expect(seriesOf(events)).toEqual([[2000, [1, null]]]);
  });

  it('of two events with the same start and ID come from the event received first', () => {
    const [first, second] = [[1, 2], [8]].map((values) => sampled('ann', '09:00', values, { id: 'same' }));

    expect(seriesOf([ann('09:00'), first, second] as PlatformEvent[])).toEqual([[2000, [1, 2]]]);
    expect(seriesOf([ann('09:00'), second, first] as PlatformEvent[])).toEqual([[2000, [8]]]);
  });

  it('with several rates use the interval of the smallest rate', () => {
    const events = [
      ann('09:00'),
      sampled('ann', '09:00', [1, 2], { sampleRateMs: 3000 }),
      sampled('ann', '09:00:06', [7, 8], { sampleRateMs: 1000 }),
    ];

    expect(seriesOf(events)).toEqual([[1000, [1, null, null, 2, null, null, 7, 8]]]);
  });

  it('belong to the last connection that started before them or at most 5 s after them', () => {
    const joins = [ann('09:00'), ann('09:10')];

    expect(seriesOf([...joins, sampled('ann', '09:09:54.999', [1])]).map(([rate]) => rate)).toEqual([2000, 2000]);
    expect(seriesOf([...joins, sampled('ann', '09:09:55', [1])])).toEqual([
      [2000, []],
      [2000, []],
    ]);
    expect(seriesOf([...joins, sampled('ann', '09:10', [1])])).toEqual([
      [2000, []],
      [2000, [1]],
    ]);
  });

  it('from before every join belong to the first connection', () => {
    const events = [ann('09:00'), ann('09:10'), sampled('ann', '08:59:50', [1, 2, 3, 4, 5, 6])];

    expect(seriesOf(events)).toEqual([
      [2000, [6]],
      [2000, []],
    ]);
  });

  it('of one event stay together for an hour, even if another connection starts meanwhile', () => {
    const events = [ann('09:00'), ann('09:00:10'), sampled('ann', '09:00', [1, 2, 3, 4, 5, 6, 7])];

    expect(seriesOf(events)).toEqual([
      [2000, [1, 2, 3, 4, 5, 6, 7]],
      [2000, []],
    ]);
  });

  it('of a long event are split after an hour and after 1,800 values', () => {
    const joins = [ann('09:00'), ann('09:30'), ann('10:30')];
    const everyMinute = Array.from({ length: 120 }, (_, minute) => minute);
    const everySecond = Array.from({ length: 1801 }, (_, second) => second);

    const byHour = seriesOf([...joins, sampled('ann', '09:00', everyMinute, { sampleRateMs: 60_000 })]);
    expect(byHour).toEqual([
      [60_000, everyMinute.slice(0, 60)],
      [60_000, [...Array(30).fill(null), ...everyMinute.slice(60)]],
      [2000, []],
    ]);
    const by1800 = seriesOf([...joins, sampled('ann', '09:00', everySecond, { sampleRateMs: 1000 })]);
    expect(by1800).toEqual([
      [1000, everySecond.slice(0, 1800)],
      [1000, [1800]],
      [2000, []],
    ]);
  });

  it('of a participant who never joined are left out', () => {
    expect(detailsOf([joined('bob', '09:00'), sampled('ann', '09:00', [1])])).toEqual([]);
  });

  it('count once if their event is received several times', () => {
    const event = sampled('ann', '09:00', [1, 2]);

    expect(seriesOf([event, ann('09:00'), event])).toEqual([[2000, [1, 2]]]);
  });
});
