import { expect, test } from 'vitest';
import { Notice } from '#shared/contracts/notices.ts';
import { recordingNotice, refusalNotice } from '#shared/domain/transcriptions/recording-notices.ts';
import { organizationId, recordingRecord, uuid } from '../../../support/operations/records.ts';

const now = new Date('2026-03-01T10:11:12.013Z');
const room = { recordingId: uuid(2), roomName: '/daily', roomSessionId: uuid(3) };

test('a finished recording is told with its dates', () => {
  const { organizationId: owner, ...notice } = recordingNotice('finished', recordingRecord(), 3, now);
  expect(owner).toBe('acme');
  expect(notice).toMatchObject({ type: 'recording.received', createdAt: now.toISOString() });
  const dates = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:10:00.000Z' };
  expect(notice.data).toEqual({ revision: 3, ...room, state: 'finished', ...dates });
  expect(Notice.parse(notice)).toEqual(notice);
});

test('an open recording is told without dates', () => {
  const { organizationId: _, ...notice } = recordingNotice(
    'open',
    { organizationId: organizationId(), ...room },
    1,
    now,
  );
  expect(notice.data).toEqual({ revision: 1, ...room, state: 'open', startDate: null, endDate: null });
  expect(Notice.parse(notice)).toEqual(notice);
});

const refusal = (facts: object) => ({
  ...{ organizationId: organizationId(), messageId: 'message', sentAt: now, receives: 1, issues: [] },
  ...facts,
});

test.each(['recording.finished', 'recording.track.finished'])('a refused %s is told', (type) => {
  const ids = { recordingId: uuid(2), roomSessionId: uuid(3), eventId: 'evt-7' };
  const { organizationId: _, ...notice } = refusalNotice(refusal({ type, ...ids }), 'key', now) ?? ({} as never);
  expect(notice).toMatchObject({ type: 'recording.refused', data: { revision: 1, ...ids, state: 'refused' } });
  expect(Notice.parse(notice)).toEqual(notice);
  const unreadable = refusalNotice(refusal({ type }), 'key', now);
  expect(unreadable?.data).toEqual({
    revision: 1,
    recordingId: null,
    roomSessionId: null,
    eventId: null,
    state: 'refused',
  });
});

test('each refused message is told once, with an id of its own', () => {
  const idOf = (key: string) => refusalNotice(refusal({ type: 'recording.finished' }), key, now)?.id;
  expect(idOf('one')).toBe(idOf('one'));
  expect(idOf('one')).not.toBe(idOf('other'));
});

test.each(['room.session.ended', 'recording', 'transcription.finished', undefined])(
  'a refused %s is not told',
  (type) => {
    expect(refusalNotice(refusal({ type }), 'key', now)).toBeUndefined();
  },
);
