import { describe, expect, test } from 'vitest';
import { usageOfSession, usageOfTranscription } from '#shared/domain/insights/usage-day.ts';
import { daily } from '../../../support/insights/session-facts.ts';

const { organizationId, roomName } = daily;
const room = { organizationId, roomName };
const counted = { day: '2026-03-02', participantMinutes: 31, recorderMinutes: 5, streamerMinutes: 0 };

describe('the usage of a session', () => {
  test('is added once it is counted for the first time, without what is zero', () => {
    const add = { sessions: 1, participantMinutes: 31, recorderMinutes: 5 };
    expect(usageOfSession(daily, undefined, counted)).toEqual([{ ...room, day: '2026-03-02', add }]);
  });

  test('changes by the difference, in both directions', () => {
    const after = { ...counted, participantMinutes: 30, streamerMinutes: 4 };
    const add = { participantMinutes: -1, streamerMinutes: 4 };
    expect(usageOfSession(daily, counted, after)).toEqual([{ ...room, day: '2026-03-02', add }]);
    expect(usageOfSession(daily, counted, counted)).toEqual([]);
  });

  test('moves to another day as a whole', () => {
    const after = { ...counted, day: '2026-03-01', recorderMinutes: 6 };
    expect(usageOfSession(daily, counted, after)).toEqual([
      { ...room, day: '2026-03-02', add: { sessions: -1, participantMinutes: -31, recorderMinutes: -5 } },
      { ...room, day: '2026-03-01', add: { sessions: 1, participantMinutes: 31, recorderMinutes: 6 } },
    ]);
  });

  test('goes with all of its events', () => {
    const add = { sessions: -1, participantMinutes: -31, recorderMinutes: -5 };
    expect(usageOfSession(daily, counted, undefined)).toEqual([{ ...room, day: '2026-03-02', add }]);
    expect(usageOfSession(daily, undefined, undefined)).toEqual([]);
  });
});

test('a transcription counts on the day in UTC on which it becomes ready, a live one without seconds', () => {
  const at = '2026-03-02T23:59:59.999Z';
  const day = { ...room, day: '2026-03-02' };
  expect(usageOfTranscription(room, at, 61)).toEqual({ ...day, add: { transcriptions: 1, transcribedSeconds: 61 } });
  expect(usageOfTranscription(room, at, 0)).toEqual({ ...day, add: { transcriptions: 1 } });
});
