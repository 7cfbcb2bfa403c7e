import { describe, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const session = { roomName: '/daily', roomSessionId: uuid(3), startDate: '2026-03-01T10:00:00+01:00' };
const location = { bucket: 'recordings', key: 'daily/1.wav' };
const recording = {
  ...session,
  recordingId: uuid(2),
  endDate: '2026-03-01T09:10:00Z',
  filename: '1.wav',
  location,
};
const { filename: _, ...ofRecording } = recording;
const track = { participantId: 'p-1', location, startDate: '2026-03-01T09:00:07Z' };
const live = { ...session, transcriptionId: uuid(1) };
const dataOf: Record<string, Record<string, unknown>> = {
  'recording.finished': recording,
  'recording.track.finished': { ...ofRecording, participantId: 'p-1' },
  'transcription.started': live,
  'transcription.finished': live,
  'transcription.failed': live,
};
const types = Object.keys(dataOf);
/** What is said of a field that is only required beside another one. */
const whyRequired: Record<string, string> = {
  'recording.finished filename': 'data.filename: is required with a location',
  'recording.finished location': 'data: must have location, tracks or both',
};
const event = (type: string, change: object = {}, envelope: object = {}) => ({
  id: 'event-1',
  type,
  organizationId: 'acme',
  createdAt: '2026-03-01T09:10:01Z',
  data: { ...dataOf[type], ...change },
  ...envelope,
});

describe.each(types)('the event %s', (type) => {
  test('accepts the required fields and converts times to UTC', () => {
    expect(taken(RoomEvent, event(type)).data).toHaveProperty('startDate', '2026-03-01T09:00:00.000Z');
  });

  test.each(Object.keys(dataOf[type] ?? {}))('rejects data without %s', (field) => {
    const issue = whyRequired[`${type} ${field}`] ?? `data.${field}: is required`;
    expect(issuesOf(RoomEvent, event(type, { [field]: undefined }))).toEqual([issue]);
  });

  test.each(['id', 'organizationId', 'createdAt', 'data'])('rejects an envelope without %s', (field) => {
    expect(issuesOf(RoomEvent, event(type, {}, { [field]: undefined }))).toEqual([`${field}: is required`]);
  });

  test.each([
    [{ roomName: 'daily' }, 'data.roomName: must start with "/"'],
    [{ roomSessionId: 'x' }, 'data.roomSessionId: must be a UUID'],
    [{ startDate: '2026-03-01T10:00:00' }, expect.stringContaining('data.startDate: must be an ISO 8601')],
  ])('rejects data with %j', (change, issue) => {
    expect(issuesOf(RoomEvent, event(type, change))[0]).toEqual(issue);
  });

  test.each([
    [{ id: '' }, 'id'],
    [{ id: 'x'.repeat(129) }, 'id'],
    [{ organizationId: 'a b' }, 'organizationId'],
    [{ createdAt: 'yesterday' }, 'createdAt'],
  ])('rejects an envelope with %j', (envelope, path) => {
    expect(issuesOf(RoomEvent, event(type, {}, envelope))[0]).toMatch(new RegExp(`^${path}: `));
  });

  test('accepts unknown fields and drops them from the data', () => {
    expect(taken(RoomEvent, event(type, { codec: 'opus' }, { trace: 'x' })).data).not.toHaveProperty('codec');
  });
});

test.each([
  'room.deleted',
  'room.session',
  'room.client.sampled', // accepted by another queue
  'room.client.spoke', // also
  'recording.started',
  '',
  'RECORDING.FINISHED',
  'toString',
  null,
  undefined,
])('RoomEvent rejects the type %j as unknown to this queue', (type) => {
  expect(issuesOf(RoomEvent, { ...event('recording.finished'), type })).toEqual([
    'type: must be an event type that this queue accepts: room.created, room.session.started, room.session.ended, ' +
      'room.client.joined, room.client.left, room.client.rated, room.client.updated, fact.retracted, recording.finished, ' +
      'recording.track.finished, transcription.started, transcription.finished, transcription.failed',
  ]);
});

test.each([null, [], 'text', 7, undefined])('RoomEvent rejects the message %j', (message) => {
  expect(issuesOf(RoomEvent, message)).toHaveLength(1);
});

test.each(types.filter((type) => type !== 'transcription.started'))(
  '%s rejects an endDate before the startDate',
  (type) => {
    expect(issuesOf(RoomEvent, event(type, { endDate: '2026-03-01T08:59:59.999Z' }))).toEqual([
      'data.endDate: must not be before startDate',
    ]);
    expect(issuesOf(RoomEvent, event(type, { endDate: '2026-03-01T09:00:00Z' }))).toEqual([]);
    // The dates are compared as instants: 10:00 at +02:00 is an hour before 10:00 at +01:00.
    expect(issuesOf(RoomEvent, event(type, { endDate: '2026-03-01T10:00:00+02:00' }))).toHaveLength(1);
  },
);

test.each([
  [{ bucket: '', key: 'a' }, 'data.location.bucket'],
  [{ bucket: 'b'.repeat(64), key: 'a' }, 'data.location.bucket'],
  [{ bucket: 'a/b', key: 'a' }, 'data.location.bucket'],
  [{ bucket: 'arn:aws:s3:::b', key: 'a' }, 'data.location.bucket'],
  [{ bucket: 'bucket', key: '' }, 'data.location.key'],
  [{ bucket: 'bucket', key: 'k'.repeat(1025) }, 'data.location.key'],
  [{ bucket: 'bucket', key: 'é'.repeat(513) }, 'data.location.key'],
  [{ bucket: 'bucket', key: '\ud800' }, 'data.location.key'],
  ...['.', '..', '/a', 'a/', 'a//b', './a', 'a/.', 'a/../b', '../a', 'a/..', '/', '//'].map((key) => [
    { bucket: 'bucket', key },
    'data.location.key',
  ]),
  ...['\0', '\n', 'a\tb', '\x1f', '\x7f', 'a\x80', '\x9fb'].map((key) => [
    { bucket: 'bucket', key },
    'data.location.key',
  ]),
  ['s3://b/k', 'data.location'],
])('recording.finished rejects the location %j', (invalidLocation, path) => {
  const issues = issuesOf(RoomEvent, event('recording.finished', { location: invalidLocation }));
  expect(issues[0]?.split(': ')[0]).toBe(path);
});

describe('the tracks of recording.finished', () => {
  const withTracks = (tracks: unknown, more: object = {}) =>
    event('recording.finished', { location: undefined, filename: undefined, tracks, ...more });

  test('replace the location, or are beside it', () => {
    for (const more of [{}, { location, filename: '1.wav' }, { filename: '1.wav' }])
      expect(issuesOf(RoomEvent, withTracks([track], more))).toEqual([]);
    expect(taken(RoomEvent, withTracks([track])).data).toMatchObject({
      tracks: [{ ...track, startDate: '2026-03-01T09:00:07.000Z' }],
    });
  });

  test('can begin together if their participants or sources differ', () => {
    const tracks = [track, { ...track, source: 'screen' }, { ...track, participantId: 'p-2' }];
    expect(issuesOf(RoomEvent, withTracks(tracks))).toEqual([]);
  });

  test.each([
    ['without tracks and location', undefined, 'data: must have location, tracks or both'],
    ['without an element', [], 'data.tracks: must have at least one track'],
    [
      'of more than 100 elements',
      Array.from({ length: 101 }, (_, index) => ({ ...track, participantId: `p-${index}` })),
      'data.tracks: must be at most 100 tracks',
    ],
    ['without a location', [{ ...track, location: undefined }], 'data.tracks.0.location: is required'],
    [
      'without a participant',
      [track, { ...track, participantId: '' }],
      'data.tracks.1.participantId: must not be empty',
    ],
    [
      'with an unknown source',
      [{ ...track, source: 'phone' }],
      'data.tracks.0.source: must be one of microphone, screen',
    ],
    [
      'with an end before the start',
      [{ ...track, endDate: '2026-03-01T09:00:06Z' }],
      'data.tracks.0.endDate: must not be before startDate',
    ],
    [
      'with one track twice, in two spellings',
      [track, { ...track, startDate: '2026-03-01T10:00:07+01:00', source: 'microphone' }],
      'data.tracks.1: must not have the participantId, startDate and source of another track',
    ],
  ])('are refused %s', (_name, tracks, issue) => {
    expect(issuesOf(RoomEvent, withTracks(tracks))).toEqual([issue]);
  });
});

describe('the error of transcription.failed', () => {
  const errorOf = (error: unknown) => {
    const { data } = taken(RoomEvent, event('transcription.failed', { error }));
    return 'error' in data ? data.error : undefined;
  };

  test.each([
    ['out of memory', 'out of memory'],
    [{ message: 'out of memory', code: 7 }, 'out of memory'],
    [{}, undefined],
    [undefined, undefined],
  ])('reads %j as the message %j', (error, message) => {
    expect(errorOf(error)).toBe(message);
  });

  test.each([7, null, 'x'.repeat(1025), { message: 7 }])('rejects %j', (error) => {
    expect(issuesOf(RoomEvent, event('transcription.failed', { error }))).toHaveLength(1);
  });
});

describe('the durationInSeconds of transcription.finished', () => {
  test.each([0, 1, 3600, 315_360_000])('accepts %d', (durationInSeconds) => {
    expect(issuesOf(RoomEvent, event('transcription.finished', { durationInSeconds }))).toEqual([]);
  });

  test.each([-1, 1.5, '60', null, 315_360_001, Number.MAX_SAFE_INTEGER])('rejects %j', (durationInSeconds) => {
    expect(issuesOf(RoomEvent, event('transcription.finished', { durationInSeconds }))).toHaveLength(1);
  });
});
