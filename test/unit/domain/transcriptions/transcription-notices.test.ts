import { describe, expect, test } from 'vitest';
import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import { Notice } from '#shared/contracts/notices.ts';
import {
  revisionOf,
  type ToldEvent,
  toldAfter,
  transcriptionNotice,
} from '#shared/domain/transcriptions/transcription-notices.ts';
import { transcriptionRecord, uuid } from '../../../support/operations/records.ts';

const now = new Date('2026-03-01T10:11:12.013Z');
const common = {
  ...{ revision: 2, transcriptionId: uuid(1), recordingId: uuid(2), roomSessionId: uuid(3), roomName: '/daily' },
  type: 'RECORDING_TRANSCRIPTION',
};
const ready = { storageType: 'SERVICE_HOSTED', durationInSeconds: 600, ...both('ready') };
const failed = { failureCode: 'no_speech', ...both('failed') };
const failure = { code: 'no_speech', message: 'Ada said nothing.' } as const;

function both(state: string) {
  return { state, status: state };
}

const expected: Readonly<Record<ToldEvent, readonly [type: NoticeType, data: object]>> = {
  created: ['transcription.started', both('in_progress')],
  liveStarted: ['transcription.started', both('in_progress')],
  transcribed: ['transcription.finished', ready],
  liveFinished: ['transcription.finished', ready],
  failed: ['transcription.failed', failed],
  abandoned: ['transcription.failed', failed],
  liveFailed: ['transcription.failed', failed],
  deleted: ['transcription.deleted', both('deleted')],
  speakersChanged: ['transcription.speakers.changed', both('ready')],
};

test.each(Object.entries(expected))('%s is told', (event, [type, data]) => {
  const record = transcriptionRecord({ durationInSeconds: 600, failure, filename: 'of ada.md', correlationId: 'abc' });
  const { organizationId, ...notice } = transcriptionNotice(event as ToldEvent, { ...record, revision: 2 }, now);
  expect(organizationId).toBe('acme');
  expect(notice).toEqual({
    id: expect.stringMatching(/^ntc_/),
    apiVersion: '1.0',
    createdAt: '2026-03-01T10:11:12.013Z',
    type,
    data: { ...common, ...data },
  });
  expect(Notice.parse(notice)).toEqual(notice);
  expect(JSON.stringify(notice)).not.toMatch(/ada/i);
});

test('a live transcription has no recording', () => {
  const { recordingId: _, ...record } = transcriptionRecord({ type: 'LIVE_TRANSCRIPTION' });
  const { data } = transcriptionNotice('liveStarted', { ...record, revision: 1 }, now);
  expect(data).toMatchObject({ recordingId: null, type: 'LIVE_TRANSCRIPTION' });
});

test('the id follows from the type, the transcription and the revision, and not from the time', () => {
  const record = transcriptionRecord();
  const idOf = (event: ToldEvent, revision: number, at = now) =>
    transcriptionNotice(event, { ...record, revision }, at).id;
  expect(idOf('failed', 2, new Date())).toBe(idOf('failed', 2));
  expect(idOf('transcribed', 2), 'a restore can use a revision again').not.toBe(idOf('failed', 2));
  expect(idOf('failed', 3)).not.toBe(idOf('failed', 2));
});

describe('the revision', () => {
  test('is 1 for what was not stored before, and then one more than what is stored', () => {
    expect(toldAfter(undefined, transcriptionRecord()).revision).toBe(1);
    expect(toldAfter({ state: 'ready', revision: 7 }, transcriptionRecord()).revision).toBe(8);
  });

  test.each([
    ['in_progress', 1],
    ['ready', 2],
    ['failed', 2],
  ] as const)('of a row from before notices that is %s is %i', (state, revision) => {
    expect(revisionOf({ state })).toBe(revision);
  });
});
