import { describe, expect, test } from 'vitest';
import { UnreadableMessage } from '#shared/runtime/errors.ts';
import { recordRecording, recordTrack } from '#shared/use-cases/transcriptions/record-recording.ts';
import type {
  FileClaim,
  RecordingRegistration,
  TrackReport,
} from '#shared/use-cases/transcriptions/recording-ports.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const room = { roomName: '/daily', roomSessionId: uuid(3) };
const span = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:10:00.000Z' };
const file = (key: string, bucket = 'recordings') => ({ bucket, key });
const track = (participantId: string, location = file(`${participantId}.ogg`)) => ({
  ...span,
  participantId,
  location,
});
const envelope = {
  id: 'evt-1',
  version: undefined,
  organizationId: organizationId(),
  createdAt: '2026-03-01T09:11:00.000Z',
};

/** Writes down what is called. The file and the participant with these names are refused. */
function registration() {
  const calls: string[] = [];
  const store: RecordingRegistration = {
    register: async () => {
      calls.push('register');
      return 'registered';
    },
    claimFiles: async (_claim: FileClaim, locations) => {
      calls.push(`claim ${locations.map(({ key }) => key).join(' ')}`);
      const foreignFile = locations.find(({ key }) => key.startsWith('foreign'));
      return foreignFile ? { foreignFile } : 'claimed';
    },
    storeTrack: async ({ participantId, source }: TrackReport) => {
      calls.push(`store ${participantId} ${source}`);
      return participantId === 'beyond' ? 'too-many' : 'stored';
    },
  };
  return { calls, deps: { registration: store, transcriptsBucket: 'transcripts' } };
}

/** Records an event. Returns the calls, and why the event was refused. */
async function finish(data: Partial<Parameters<typeof recordRecording>[1]['data']>) {
  const { calls, deps } = registration();
  const event = {
    ...envelope,
    type: 'recording.finished' as const,
    data: { recordingId: uuid(2), ...room, ...span, ...data },
  };
  const refused = await recordRecording(deps, event).catch((error: unknown) => error);
  return { calls, issues: refused instanceof UnreadableMessage ? refused.issues : refused };
}

describe('an event that finishes a recording', () => {
  test('without tracks is one transaction', async () => {
    const { calls, issues } = await finish({ filename: 'a.wav', location: file('a.wav') });
    expect([calls, issues]).toEqual([['register'], undefined]);
  });

  test('claims all files before the first track, and closes the recording after the last one', async () => {
    const screen = { ...track('ann', file('screen.ogg')), source: 'screen' as const };
    const { calls } = await finish({ tracks: [track('ann'), screen], filename: 'a.mp4', location: file('a.mp4') });
    expect(calls).toEqual(['claim ann.ogg screen.ogg a.mp4', 'store ann microphone', 'store ann screen', 'register']);
  });

  test.each([
    ['a foreign track', { tracks: [track('ann'), track('foreign')] }, 'data.tracks.1.location'],
    ['a foreign mixed file', { tracks: [track('ann')], location: file('foreign.mp4') }, 'data.location'],
  ])('with %s says which file it is, and stores nothing', async (_name, data, path) => {
    const { calls, issues } = await finish(data);
    expect(issues).toEqual([{ path, message: 'must not be a file of another organization' }]);
    expect(calls).toEqual([expect.stringContaining('claim')]);
  });

  test('with a track in the transcripts bucket claims nothing', async () => {
    const { calls, issues } = await finish({ tracks: [track('ann'), track('bob', file('bob.ogg', 'transcripts'))] });
    expect(issues).toEqual([{ path: 'data.tracks.1.location.bucket', message: 'must not be that of transcripts' }]);
    expect(calls).toEqual([]);
  });

  test('with more tracks than are transcribed does not close the recording', async () => {
    const { calls, issues } = await finish({ tracks: [track('beyond'), track('ann')] });
    expect(issues).toEqual([{ path: 'data.tracks.0', message: 'must be of a recording with at most 1000 tracks' }]);
    expect(calls).not.toContain('register');
  });
});

test('an event of one track names its own file and data', async () => {
  for (const [one, path] of [
    [track('foreign'), 'data.location'],
    [track('beyond'), 'data'],
  ] as const) {
    const event = {
      ...envelope,
      type: 'recording.track.finished' as const,
      data: { recordingId: uuid(2), ...room, ...one },
    };
    await expect(recordTrack(registration().deps, event)).rejects.toMatchObject({ issues: [{ path }] });
  }
});
