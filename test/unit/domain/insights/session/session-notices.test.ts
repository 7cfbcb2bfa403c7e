import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Notice } from '#shared/contracts/notices.ts';
import { type SessionRecord, toRoomSessionInsight } from '#shared/domain/insights/insight-records.ts';
import { digestOf, endOf, newsOf } from '#shared/domain/insights/session/session-notices.ts';
import { anySession, roomRecord, sessionRecord } from '../../../../support/insights/insight-records.ts';
import { at } from '../../../../support/insights/session-facts.ts';

const settleSeconds = 60;
const newsAt = (time: string, before: SessionRecord | undefined, after: SessionRecord) =>
  newsOf(before, after, settleSeconds, new Date(at(time)));

const hidden = sessionRecord({ startedAt: null, asOf: null });
const open = sessionRecord();
const ended = sessionRecord({ endedAt: at('10:00'), asOf: at('10:00') });
const toldEnd = { revision: 2, digest: digestOf(ended) };

describe('the start of a session is told', () => {
  test.each<[string, SessionRecord | undefined, number]>([
    ['with its first event', undefined, 1],
    ['with the first event that counts', hidden, 1],
    ['again with a higher revision if every event had been taken back', { ...hidden, told: { revision: 1 } }, 2],
    ['again with a higher revision if its told end does not count any more', { ...ended, told: toldEnd }, 3],
  ])('%s', (_when, before, revision) => {
    const { notice, told, settling } = newsAt('10:05', before, open);
    expect(notice).toMatchObject({
      ...{ organizationId: open.organizationId, type: 'room.session.started', createdAt: at('10:05') },
      data: { revision, roomName: open.roomName, roomSessionId: open.roomSessionId, startedAt: open.startedAt },
    });
    expect(told).toEqual({ revision });
    expect(settling).toBeUndefined();
    expect(Notice.safeParse(notice).success).toBe(true);
  });

  test('at once, and its end later, if it is shown with its end', () => {
    const news = newsAt('10:05', undefined, ended);
    expect(news).toMatchObject({ notice: { type: 'room.session.started' }, told: { revision: 1 } });
    expect(news.settling).toEqual({ at: at('10:06'), by: at('10:15') });
  });

  test.each<[string, SessionRecord, SessionRecord]>([
    ['a later event of a session comes', { ...open, told: { revision: 1 } }, open],
    ['a session disappears', { ...open, told: { revision: 1 } }, hidden],
    ['a session without events stays so', hidden, hidden],
    ['a session was stored before sessions were told', open, open],
    ['such a session is open again', ended, open],
  ])('not if %s', (_what, before, after) => {
    const news = newsAt('10:05', before, after);
    expect(news).toEqual({ notice: null, ...(before.told && { told: before.told }) });
  });
});

describe('the end of a session is told', () => {
  const told = { revision: 1 };

  test('after the seconds of the stage, in steps of ten', () => {
    const change = (time: string) => newsAt(time, { ...open, told }, ended).settling;
    expect(change('10:05')).toEqual({ at: at('10:06'), by: at('10:15') });
    expect(change('10:05:00.001')).toEqual({ at: at('10:06:10'), by: at('10:15:10') });
    expect(change('10:05:10')).toEqual(change('10:05:00.001'));
  });

  test('later after each event, up to ten times as late', () => {
    let before: SessionRecord = { ...open, told };
    const times = ['10:05', '10:05:30', '10:14', '10:14:30', '10:20'].map((time) => {
      before = { ...ended, ...newsAt(time, before, ended) };
      return before.settling?.at;
    });
    expect(times).toEqual(['10:06', '10:06:30', '10:15', '10:15', '10:15'].map((time) => at(time)));
  });

  test.each<[string, SessionRecord, SessionRecord]>([
    ['it was told so', { ...ended, told: toldEnd }, ended],
    [
      'a change was undone',
      { ...open, ...{ endedAt: at('10:30'), told: toldEnd, settling: { at: at('10:31'), by: at('10:40') } } },
      ended,
    ],
    ['it does not count any more', { ...ended, told, settling: { at: at('10:06'), by: at('10:15') } }, open],
    ['every event was taken back', { ...ended, told, settling: { at: at('10:06'), by: at('10:15') } }, hidden],
  ])('not if %s', (_what, before, after) => {
    expect(newsAt('10:05', before, after)).toEqual({ notice: null, told: before.told });
  });

  test('also of a session that was stored before sessions were told, once an event of it comes', () => {
    const { notice, settling } = newsAt('10:05', ended, ended);
    expect([notice, settling?.at]).toEqual([null, at('10:06')]);
    expect(endOf(ended, new Date(at('10:06'))).told.revision).toBe(1);
  });

  test('again, with the next revision, if any figure has changed', () => {
    const late = { ...ended, usage: { ...ended.usage, ratings: 1, ratingThousandths: 4000 } };
    expect(newsAt('11:00', { ...ended, told: toldEnd }, late).settling?.at).toBe(at('11:01'));
    const { notice, told: now } = endOf({ ...late, told: toldEnd }, new Date(at('11:01')));
    expect(notice).toMatchObject({ type: 'room.session.ended', data: { revision: 3, rating: 4, totalRatings: 1 } });
    expect(now).toEqual({ revision: 3, digest: digestOf(late) });
  });

  test('with exactly what insights show of any session, and a notice that others can read', () => {
    fc.assert(
      fc.property(anySession, (session) => {
        fc.pre(session.endedAt !== null);
        const { notice, told: now } = endOf(session, new Date(at('11:01')));
        const { revision, ...shown } = notice.data as Record<string, unknown>;
        const { createdAt: _, endAt: __, ...insight } = toRoomSessionInsight(session, roomRecord());
        expect(shown).toEqual(insight);
        expect(revision).toBe((session.told?.revision ?? 0) + 1);
        expect(newsAt('11:02', { ...session, told: now }, session)).toEqual({ notice: null, told: now });
      }),
    );
  });
});

test('the same session id in two rooms is two sessions: their notices have different ids', () => {
  const idIn = (roomName: string) => newsAt('10:05', undefined, { ...open, roomName }).notice?.id;
  expect(idIn('/one')).not.toBe(idIn('/other'));
  expect(idIn('/one')).toBe(idIn('/one'));
});
