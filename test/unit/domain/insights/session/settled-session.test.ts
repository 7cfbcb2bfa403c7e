import { describe, expect, test } from 'vitest';
import { digestOf, newsOf } from '#shared/domain/insights/session/session-notices.ts';
import { settledOf } from '#shared/domain/insights/session/settled-session.ts';
import { sessionRecord } from '../../../../support/insights/insight-records.ts';
import { at } from '../../../../support/insights/session-facts.ts';

const now = new Date(at('11:01'));
const usage = { participantMinutes: 31, recorderMinutes: 0, streamerMinutes: 0, ratings: 0, ratingThousandths: 0 };
const ended = sessionRecord({ endedAt: at('10:00'), asOf: at('10:00'), usage });
const counted = {
  day: ended.startedAt?.slice(0, 10) ?? '',
  participantMinutes: 31,
  recorderMinutes: 0,
  streamerMinutes: 0,
};
const told = { revision: 2, digest: digestOf(ended), counted };

describe('a session that has settled', () => {
  test('is told and counted on the day of its start', () => {
    const settled = settledOf({ ...ended, told: { revision: 1 } }, now);
    expect(settled.notice?.type).toBe('room.session.ended');
    expect(settled.told).toEqual(told);
    expect(settled.usage).toMatchObject([{ day: counted.day, add: { sessions: 1, participantMinutes: 31 } }]);
  });

  test('is counted by the difference after a late fact', () => {
    const late = { ...ended, usage: { ...usage, participantMinutes: 29 }, told };
    const settled = settledOf(late, now);
    expect(settled.told).toEqual({
      revision: 3,
      digest: digestOf(late),
      counted: { ...counted, participantMinutes: 29 },
    });
    expect(settled.usage).toMatchObject([{ day: counted.day, add: { participantMinutes: -2 } }]);
  });

  test('is told, and counts no more, after a late fact that changes no minutes', () => {
    const settled = settledOf({ ...ended, usage: { ...usage, ratings: 1, ratingThousandths: 5000 }, told }, now);
    expect(settled).toMatchObject({ notice: { data: { revision: 3 } }, usage: [] });
  });
});

describe('what is counted of a session', () => {
  const open = { ...ended, endedAt: null };
  const hidden = sessionRecord({ startedAt: null, asOf: null });

  test('stays while it is told to have started again', () => {
    const news = newsOf({ ...ended, told }, open, 60, now);
    expect(news).toMatchObject({ notice: { type: 'room.session.started' }, told: { revision: 3, counted } });
    expect(news.settling).toBeUndefined();
  });

  test('is taken off once all of its events were taken back, and nobody is told', () => {
    const news = newsOf({ ...ended, told }, hidden, 60, now);
    expect(news).toEqual({ notice: null, told, settling: { at: at('11:02'), by: at('11:11') } });
    const settled = settledOf({ ...hidden, ...news }, now);
    expect(settled).toMatchObject({ notice: null, told: { revision: 2, digest: told.digest } });
    expect(settled.told.counted).toBeUndefined();
    expect(settled.usage).toMatchObject([{ add: { sessions: -1, participantMinutes: -31 } }]);
    expect(newsOf({ ...hidden, told: settled.told }, hidden, 60, now).settling).toBeUndefined();
  });
});
