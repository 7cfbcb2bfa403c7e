import { describe, expect, test } from 'vitest';
import { type LiveTranscriptionEvent, RoomEvent } from '#shared/contracts/events.ts';
import { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import {
  begunLiveTranscription,
  endedLiveTranscription,
  refuseForeignFile,
} from '#shared/domain/transcriptions/live-transcription.ts';
import { toTranscription } from '#shared/domain/transcriptions/transcription.ts';
import { taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const bucket = 'transcripts';
const ours = { bucket, key: `live/acme/${uuid(1)}/1.vtt` };
const theirs = { bucket: 'customer', key: 'folder/1.vtt' };

function event<Type extends LiveTranscriptionEvent['type']>(type: Type, data: object = {}) {
  const parsed = taken(RoomEvent, {
    id: 'event-1',
    type,
    organizationId: 'acme',
    createdAt: '2026-03-01T09:30:00Z',
    data: {
      transcriptionId: uuid(1),
      roomName: '/daily',
      roomSessionId: uuid(3),
      startDate: '2026-03-01T09:00:00Z',
      ...data,
    },
  });
  return parsed as Extract<LiveTranscriptionEvent, { type: Type }>;
}

const identity = {
  organizationId: 'acme',
  transcriptionId: uuid(1),
  roomName: '/daily',
  roomSessionId: uuid(3),
  createdAt: '2026-03-01T09:00:00.000Z',
  startDate: '2026-03-01T09:00:00.000Z',
  type: 'LIVE_TRANSCRIPTION',
};

test('a started live transcription is in progress, has no end, and is due two days from now', () => {
  expect(begunLiveTranscription(event('transcription.started'), now)).toStrictEqual({
    ...identity,
    endDate: null,
    state: 'in_progress',
    durationInSeconds: 0,
    filename: null,
    storageType: 'SERVICE_HOSTED',
    dueAt: '2026-03-03T10:00:00.000Z',
  });
  const elsewhere = event('transcription.started', { storageType: 'SELF_HOSTED' });
  expect(begunLiveTranscription(elsewhere, now).storageType).toBe('SELF_HOSTED');
});

test('a finished live transcription is ready, with or without its start event', () => {
  const data = { endDate: '2026-03-01T09:20:00Z', durationInSeconds: 1199, filename: 'Daily.vtt', location: ours };
  expect(endedLiveTranscription(event('transcription.finished', data), bucket)).toStrictEqual({
    ...identity,
    ...data,
    endDate: '2026-03-01T09:20:00.000Z',
    state: 'ready',
    storageType: 'SERVICE_HOSTED',
  });
});

describe('a live transcription whose end event lacks a value', () => {
  const ended = (data: object) => endedLiveTranscription(event('transcription.finished', data), bucket);

  test('ends at the time of the event, and its duration comes from both dates', () => {
    expect(ended({})).toMatchObject({ endDate: '2026-03-01T09:30:00.000Z', durationInSeconds: 1800 });
    expect(ended({ endDate: '2026-03-01T09:10:00.5Z' })).toMatchObject({ durationInSeconds: 601 });
  });

  test('never ends before it starts', () => {
    const late = ended({ startDate: '2026-03-01T10:00:00Z' });
    expect(late).toMatchObject({ endDate: '2026-03-01T10:00:00.000Z', durationInSeconds: 0 });
  });

  test.each([
    [{ filename: 'a.vtt', location: ours }, 'a.vtt'],
    [{ location: theirs }, '1.vtt'],
    [{ location: { bucket, key: 'plain' } }, 'plain'],
    [{}, null],
  ])('takes its filename from %j', (data, filename) => {
    expect(ended(data).filename).toBe(filename);
  });

  test.each([
    [{}, 'SELF_HOSTED'],
    [{ location: ours }, 'SERVICE_HOSTED'],
    [{ location: theirs }, 'SELF_HOSTED'],
    [{ location: theirs, storageType: 'SERVICE_HOSTED' }, 'SERVICE_HOSTED'],
    [{ location: ours, storageType: 'SELF_HOSTED' }, 'SELF_HOSTED'],
  ])('takes its storage type from %j', (data, storageType) => {
    expect(ended(data).storageType).toBe(storageType);
  });
});

test.each([
  ['out of memory', 'out of memory'],
  [{ message: 'out of memory' }, 'out of memory'],
  [undefined, expect.stringMatching(/\.$/)],
  [{}, expect.stringMatching(/\.$/)],
])('a live transcription that failed with %j has a failure, no file and no duration', (error, message) => {
  const failed = endedLiveTranscription(event('transcription.failed', { error }), bucket);
  expect(failed).toMatchObject({
    ...identity,
    state: 'failed',
    durationInSeconds: 0,
    filename: null,
    endDate: '2026-03-01T09:30:00.000Z',
    failure: { code: 'engine_error', message },
  });
});

const folder = `live/acme/${uuid(1)}/`;

test.each([ours, theirs, { ...theirs, key: 'generated/acme/x/1.md' }, { bucket, key: `${folder}a/b c+%2F.md` }])(
  'refuseForeignFile accepts %j',
  (location) => {
    expect(() => refuseForeignFile(event('transcription.finished', { location }), bucket)).not.toThrow();
  },
);

test.each([
  `generated/acme/${uuid(1)}/1.md`,
  `live/acme/${uuid(2)}/1.md`,
  `live/other/${uuid(1)}/1.md`,
  `live/ACME/${uuid(1)}/1.md`,
  `live/acme/${uuid(1)}.md`,
  `x/live/acme/${uuid(1)}/1.md`,
])('refuseForeignFile refuses the key %s in the transcripts bucket, and names the prefix', (key) => {
  for (const type of ['transcription.finished', 'transcription.failed'] as const) {
    const issues = [{ path: 'data.location.key', message: `must start with ${folder} in this bucket` }];
    expect(() => refuseForeignFile(event(type, { location: { bucket, key } }), bucket)).toThrow(
      expect.objectContaining({ name: 'UnreadableMessage', issues }),
    );
  }
});

test('every live transcription is shown as the contract defines', () => {
  for (const record of [
    begunLiveTranscription(event('transcription.started'), now),
    endedLiveTranscription(event('transcription.finished', { location: theirs }), bucket),
    endedLiveTranscription(event('transcription.failed'), bucket),
  ]) {
    expect(Transcription.parse(toTranscription(record))).toStrictEqual(toTranscription(record));
  }
});

test('start and end events agree on the fields that both set, so their order does not matter', () => {
  const { createdAt, startDate } = begunLiveTranscription(event('transcription.started'), now);
  expect(endedLiveTranscription(event('transcription.finished'), bucket)).toMatchObject({ createdAt, startDate });
});
