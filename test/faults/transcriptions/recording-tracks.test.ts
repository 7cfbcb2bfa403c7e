import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, GetCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxTracks } from '#shared/domain/transcriptions/recording.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
import { dynamodb, organization } from '../../support/machine.ts';
import { organizationId } from '../../support/operations/records.ts';
import { cancelled } from '../support/dynamodb-faults.ts';
import { type FaultPlan, failing, killAt, noFaults, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();
const documents = DynamoDBDocumentClient.from(dynamodb);
const { recordings, recordingTracks, recordingFiles } = world.resources.tables;
const { listTracks } = trackRepository(documents, recordingTracks);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const room = { roomName: '/standup', roomSessionId: '0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10' };
const span = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:30:00.000Z' };

type Track = Readonly<Record<'participantId' | 'startDate' | 'endDate', string>> & {
  readonly source?: 'microphone' | 'screen' | undefined;
  readonly location: { readonly bucket: string; readonly key: string };
};
type Recording = { readonly acme: string; readonly recordingId: string };

const file = (key: string) => ({ bucket: world.resources.buckets.recordings, key });
const trackOf = (participantId: string, key: string, source?: 'screen'): Track => ({
  ...{ ...span, participantId, location: file(key) },
  ...(source && { source }),
});
const at = (second: number) => new Date(Date.parse('2026-03-01T10:00:00Z') + second * 1000).toISOString();
const envelope = (acme: string, second: number) => ({
  ...{ id: randomUUID() as string, organizationId: acme, createdAt: at(second) },
});

function finished({ acme, recordingId }: Recording, second: number, tracks: readonly Track[], more: object = {}) {
  const data = { recordingId, ...room, ...span, tracks, ...more };
  return { ...envelope(acme, second), type: 'recording.finished', data };
}

function trackFinished({ acme, recordingId }: Recording, second: number, track: Track) {
  return { ...envelope(acme, second), type: 'recording.track.finished', data: { recordingId, ...room, ...track } };
}

type Event = ReturnType<typeof finished> | ReturnType<typeof trackFinished>;

/** Delivers an event until no process dies. Returns whether it was refused. */
async function deliver(event: Event, plan: FaultPlan = noFaults): Promise<boolean> {
  const body = [JSON.stringify(event)];
  const first = await world.work('roomEvents', body, plan);
  return (first === 0 ? first : await world.work('roomEvents', body)) !== 0;
}

async function rowOf({ acme, recordingId }: Recording) {
  const Key = { organizationId: acme, recordingId };
  const { Item = {} } = await documents.send(new GetCommand({ TableName: recordings, Key, ConsistentRead: true }));
  return Item;
}

const newRecording = (): Recording => ({ acme: organization(), recordingId: randomUUID() });
const stored = async ({ acme, recordingId }: Recording) =>
  (await listTracks(organizationId(acme), recordingId)).map(({ location, participantId, source, reportedAt }) => ({
    ...{ participantId, source, reportedAt, key: location.key },
  }));

/** What is stored after these events in any order: the latest report of each track. */
function expectedOf(events: readonly Event[]) {
  const reports = events.flatMap(({ id, createdAt, data }) =>
    ('tracks' in data ? data.tracks : [data as unknown as Track]).map((track) => ({ id, createdAt, track })),
  );
  const sorted = reports.toSorted((one, other) =>
    `${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1,
  );
  const nameOf = ({ participantId, source = 'microphone' }: Track) => `${participantId} ${source}`;
  const latest = new Map(sorted.map((report) => [nameOf(report.track), report]));
  return [...latest]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { createdAt, track }]) => ({
      ...{ participantId: track.participantId, source: track.source ?? 'microphone' },
      ...{ reportedAt: createdAt, key: track.location.key },
    }));
}

const plans: Readonly<Record<string, () => FaultPlan>> = {
  none: () => noFaults,
  'killed at a claim': () => killAt(1, 'after'),
  'killed before a track': () => killAt(2, 'before'),
  'killed after a track': () => killAt(2, 'after'),
  'killed after the second track': () => killAt(3, 'after'),
  'answer lost': () => failing('TransactWriteItemsCommand', serviceError('InternalServerError', 500), 'after', 4),
  conflict: () => failing('TransactWriteItemsCommand', cancelled('None', 'TransactionConflict'), 'before'),
};

test(`late, repeated and reordered events make the same set of tracks, with any faults (FUZZ_SEED=${seed})`, async () => {
  const step = fc.record({
    isAlone: fc.boolean(),
    participants: fc.subarray(['p-1', 'p-2', '\ud83c\udf99'], { minLength: 1 }),
    isScreen: fc.boolean(),
    second: fc.nat(3),
    key: fc.nat(3),
    plan: fc.constantFrom(...Object.keys(plans)),
    isRepeated: fc.boolean(),
  });
  const play = fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
    const recording = newRecording();
    const events = steps.map(({ isAlone, participants, isScreen, second, key }): Event => {
      const tracks = participants.map((id) => trackOf(id, `${recording.acme}/${key}`, isScreen ? 'screen' : undefined));
      return isAlone ? trackFinished(recording, second, tracks[0] as Track) : finished(recording, second, tracks);
    });
    for (const [index, event] of events.entries())
      expect(await deliver(event, plans[steps[index]?.plan ?? '']?.())).toBe(false);
    const before = await rowOf(recording);
    for (const [index, event] of events.entries())
      if (steps[index]?.isRepeated) expect(await deliver(event)).toBe(false);

    const expected = expectedOf(events);
    expect(await stored(recording)).toEqual(expected);
    const row = await rowOf(recording);
    expect(row).toMatchObject({ ...room, trackCount: expected.length, trackRevision: before.trackRevision });
    const ends = events.filter(({ type }) => type === 'recording.finished').map(({ createdAt }) => createdAt);
    expect(row.finishedAt).toBe(ends.toSorted().at(-1));
  });
  await fc.assert(play, { seed, numRuns: 5, endOnFailure: true });
});

test('nobody sees a recording while the tracks of the event that finishes it are stored', async () => {
  const recording = newRecording();
  const event = finished(
    recording,
    0,
    ['a', 'b'].map((id) => trackOf(id, `${recording.acme}/${id}`)),
  );
  await world.work('roomEvents', [JSON.stringify(event)], killAt(3, 'after')); // the claims, and both tracks
  expect(await stored(recording)).toHaveLength(2);
  expect(await rowOf(recording)).not.toHaveProperty('roomName');
  expect(await deliver(event)).toBe(false);
  expect(await rowOf(recording)).toMatchObject({ ...room, ...span, trackCount: 2, trackRevision: 2 });
});

test.each([
  ['a track', (foreign: Track, own: Track) => [{}, [own, foreign]] as const],
  ['the mixed file', (foreign: Track, own: Track) => [{ location: foreign.location, filename: 'a' }, [own]] as const],
])('an event whose file of %s belongs to another organization stores nothing', async (_name, dataOf) => {
  const [recording, other] = [newRecording(), newRecording()];
  const foreign = trackOf('theirs', `${other.acme}/theirs`);
  expect(await deliver(trackFinished(other, 0, foreign))).toBe(false);
  const own = trackOf('mine', `${recording.acme}/mine`);
  const [more, tracks] = dataOf(foreign, own);
  expect(await deliver(finished(recording, 1, tracks, more))).toBe(true);
  expect(await stored(recording)).toEqual([]);
  expect(await rowOf(recording)).toEqual({});
  const TableName = recordingFiles;
  const owned = { IndexName: 'by-organization', KeyConditionExpression: 'organizationId = :organizationId' };
  const ExpressionAttributeValues = { ':organizationId': recording.acme };
  const { Items } = await documents.send(new QueryCommand({ TableName, ...owned, ExpressionAttributeValues }));
  expect(Items).toEqual([]);
});

test('a track of the transcripts bucket is refused, and leaves nothing', async () => {
  const recording = newRecording();
  const transcript = { ...trackOf('p', 'a'), location: { bucket: world.resources.buckets.transcripts, key: 'live/a' } };
  const own = trackOf('mine', `${recording.acme}/mine`);
  expect(await deliver(finished(recording, 0, [own, transcript]))).toBe(true);
  expect(await deliver(trackFinished(recording, 0, transcript))).toBe(true);
  expect([await stored(recording), await rowOf(recording)]).toEqual([[], {}]);
});

test('a recording stores one track more than a transcription takes, and refuses the next one, but not a later report', async () => {
  const recording = newRecording();
  expect(await deliver(trackFinished(recording, 0, trackOf('first', `${recording.acme}/first`)))).toBe(false);
  const Key = { organizationId: recording.acme, recordingId: recording.recordingId };
  const full = {
    UpdateExpression: 'SET trackCount = :count',
    ExpressionAttributeValues: { ':count': maxTracks },
  };
  await documents.send(new UpdateCommand({ TableName: recordings, Key, ...full }));
  const [last, beyond] = ['last', 'beyond'].map((id) => trackOf(id, `${recording.acme}/${id}`)) as [Track, Track];
  expect(await deliver(trackFinished(recording, 1, last))).toBe(false);
  expect(await deliver(trackFinished(recording, 2, beyond))).toBe(true);
  expect(await deliver(trackFinished(recording, 3, trackOf('first', `${recording.acme}/later`)))).toBe(false);
  expect((await stored(recording)).map(({ key }) => key)).toEqual([
    `${recording.acme}/later`,
    `${recording.acme}/last`,
  ]);
});
