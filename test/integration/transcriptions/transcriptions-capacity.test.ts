import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import type { Speaker } from '#shared/contracts/transcript/speaker.ts';
import { ListTranscriptions } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { TranscriptionKey, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { countCorrection } from '#shared/storage/transcriptions/count-correction.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { dueTranscriptions } from '#shared/storage/transcriptions/due.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { recordingRegistration } from '#shared/storage/transcriptions/recordings/registration.ts';
import { trackRepository } from '#shared/storage/transcriptions/recordings/tracks.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speakers/speaker-changes.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { spokenReader } from '#shared/storage/transcriptions/speakers/spoken.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { documented } from '../../support/docs/documented-consumption.ts';
import { writeRows } from '../../support/insights/stored-rooms.ts';
import { endpoints } from '../../support/machine.ts';
import { organizationId, recordingRecord, transcriptionRecord, uuid } from '../../support/operations/records.ts';
import { type CapacityMeter, capacityMeter } from '../../support/storage/capacity-meter.ts';

const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const tables = {
  transcriptions: String(endpoints.tables.transcriptions),
  recordings: String(endpoints.tables.recordings),
  rateLimits: String(endpoints.tables.rateLimits),
  notices: String(endpoints.tables.notices),
  usageDays: String(endpoints.tables.usageDays),
  transcriptSpeakers: String(endpoints.tables.transcriptSpeakers),
  recordingFiles: String(endpoints.tables.recordingFiles),
  recordingTracks: String(endpoints.tables.recordingTracks),
};
/** As long as the id in the examples: the cost of an item depends on the length of its names. */
const newOrganization = () => organizationId(randomUUID().slice(0, 4));
const meterOf = () => capacityMeter({ region: endpoints.region, credentials, endpoint: endpoints.dynamodbUrl });

/** The units of work, which makes the calls that its row in the tables describes. Most of it is one call. */
async function unitsOf(
  meter: CapacityMeter,
  kind: 'reads' | 'writes',
  work: () => Promise<unknown>,
  expectedCalls = 1,
) {
  const { calls, ...units } = await meter.measure(work);
  expect(calls).toBe(expectedCalls);
  return units[kind];
}

const sizes = [
  { size: 'up to 1 KB', roomName: '/ops' },
  { size: 'up to 2 KB', roomName: `/team/${'x'.repeat(150)}` },
] as const;

describe.each(sizes)('with items $size', ({ size, roomName }) => {
  const newRecord = () =>
    transcriptionRecord({
      ...{ organizationId: newOrganization(), transcriptionId: randomUUID(), recordingId: randomUUID(), roomName },
      ...{ roomSessionId: randomUUID(), dueAt: '2026-03-02T10:13:13.000Z' },
      location: { bucket: 'roomscribe-recordings-1a2b3c', key: 'a.mp4' },
      correlationId: 'JKJaXmPLvHcESHA=', // as long as an id of the gateway
    });
  const meter = meterOf();
  const transcriptions = transcriptionRepository(meter.documents, tables);
  const writesOf = (work: () => Promise<unknown>, calls?: number) => unitsOf(meter, 'writes', work, calls);
  const expectDocumented = (measured: Partial<Record<keyof typeof documented.transcriptions, number>>) => {
    const units = Object.entries(documented.transcriptions).map(([name, row]) => [name, row[size]]);
    expect(Object.fromEntries(units)).toMatchObject(measured);
  };
  const ready = { filename: '9226ec25-8833-431d-82bc-05dbfd0728fb.md', durationInSeconds: 1872 };
  const started = {
    ...{ jobStartedAt: '2026-03-02T09:32:01.000Z', dueAt: '2026-03-02T11:13:13.000Z' },
    recordedSeconds: 31.257,
  };
  const tombstoneOf = ({ organizationId: organization, transcriptionId }: TranscriptionKey) => ({
    ...{ organizationId: organization, transcriptionId, deletedAt: '2026-03-02T11:00:00.000Z' },
  });

  test('a transcription of a recording consumes the writes that docs/consumption.json states', async () => {
    const record = { ...newRecord(), recordingId: randomUUID() };
    const { organizationId: organization, recordingId } = record;
    const Item = { organizationId: organization, recordingId };
    await meter.documents.send(new PutCommand({ TableName: tables.recordings, Item }));

    const created = await writesOf(() => transcriptionCreation(meter.documents, tables, 240).create(record, {}));
    const begun = await writesOf(() => transcriptions.markJobStarted(record, started));
    const ended = await writesOf(() => transcriptions.markReady(record, ready, 1872));
    const buried = await writesOf(() =>
      transcriptions.replaceWithTombstone({ ...record, state: 'ready', revision: 2 }, tombstoneOf(record), 1),
    );

    expectDocumented({
      create: created,
      'job started; asked again later': begun,
      ready: ended,
      'all of it, from create to ready': created + begun + ended,
      delete: buried,
    });
  });

  test('a transcription that fails while its job may still write consumes the writes that docs/consumption.json states', async () => {
    const record = newRecord();
    const key = { organizationId: record.organizationId, transcriptionId: record.transcriptionId };
    await meter.documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(record) }));
    const failure = { code: 'engine_error', message: 'It did not end.' } as const;
    const other = { ...newRecord(), dueAt: started.dueAt };
    await meter.documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(other) }));
    const { dueAt } = started;
    const due = dueTranscriptions(meter.documents, tables.transcriptions);
    expectDocumented({
      failed: await writesOf(() => transcriptions.markFailed(other, failure)),
      'failed, and its job may still write': await writesOf(() => transcriptions.abandon(record, failure, dueAt)),
      'no longer due': await writesOf(() => due.settle({ ...key, dueAt })),
    });
  });

  test('a work in parts consumes the writes of its transcription that docs/consumption.json states', async () => {
    const record = { ...newRecord(), location: undefined, trackRevision: 3 };
    await meter.documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(record) }));
    const { correct } = countCorrection(meter.documents, tables, 30_000);
    const facts = { partCount: 12, recordedSeconds: 36_000, submittedSeconds: 36_660.5, dueAt: started.dueAt };
    expectDocumented({
      'correct the count': await writesOf(() => correct(record, 36_661)),
      prepared: await writesOf(() => transcriptions.markPrepared({ ...record, countedSeconds: 36_661 }, facts)),
    });
  });

  test('a take-over of a job consumes the writes that docs/consumption.json states', async () => {
    const record = { ...newRecord(), recordingId: randomUUID() };
    const { organizationId: organization, recordingId } = record;
    const left = { ...tombstoneOf({ ...record, transcriptionId: randomUUID() }), ...started };
    const offered = { ...left, jobFingerprint: 'x'.repeat(43) };
    const Item = { organizationId: organization, recordingId, latestTranscriptionId: left.transcriptionId };
    await meter.documents.send(new PutCommand({ TableName: tables.recordings, Item }));
    await meter.documents.send(new PutCommand({ TableName: tables.transcriptions, Item: offered }));
    const { create } = transcriptionCreation(meter.documents, tables, 240);
    const taking = { ...record, workId: left.transcriptionId };
    expectDocumented({
      'create, and take over': await writesOf(() =>
        create(taking, { latestTranscriptionId: left.transcriptionId }, offered),
      ),
    });
    await meter.documents.send(new PutCommand({ TableName: tables.transcriptions, Item: offered }));
    expectDocumented({
      'withdraw the offer of a work': await writesOf(() => transcriptions.withdrawWork(offered)),
    });
  });

  test('a live transcription consumes the writes that docs/consumption.json states', async () => {
    const { recordingId: _, location: __, ...begun } = { ...newRecord(), type: 'LIVE_TRANSCRIPTION' as const };
    const { dueAt: ___, ...ended } = { ...begun, ...ready, state: 'ready' as const };

    expectDocumented({
      'live, begun': await writesOf(() => transcriptions.beginLive(begun)),
      'live, ended': await writesOf(() => transcriptions.endLive(ended)),
      'live, ended without a beginning': await writesOf(
        () => transcriptions.endLive({ ...ended, transcriptionId: randomUUID() }),
        2, // the first one is refused
      ),
      'delete a live one': await writesOf(() =>
        transcriptions.replaceWithTombstone({ ...ended, revision: 2 }, tombstoneOf(ended), 1),
      ),
    });
  });
});

test('a finished recording consumes 8 writes, and 7 if its file is known', async () => {
  const meter = meterOf();
  const { register } = recordingRegistration(meter.documents, tables);
  const recording = {
    ...recordingRecord(),
    ...{ organizationId: newOrganization(), recordingId: randomUUID(), finishedAt: '2026-03-02T09:31:15.000Z' },
    location: { bucket: 'roomscribe-recordings-1a2b3c', key: `${randomUUID()}.mp4` },
  };
  const first = await meter.measure(() => register(recording));
  const later = { ...recording, finishedAt: '2026-03-02T09:31:16.000Z' };
  const again = await meter.measure(() => register(later)); // and what its refused first transaction costs
  expect([first.writes, again.writes]).toEqual([8, 7]);
});

test('a track consumes 10 writes, or 6 if its file is known, and the end of its recording 5', async () => {
  const meter = meterOf();
  const { register, claimFiles, storeTrack } = recordingRegistration(meter.documents, tables);
  const owner = { organizationId: newOrganization(), recordingId: randomUUID() };
  const { location: _, filename: __, ...finished } = { ...recordingRecord(), ...owner };
  const location = { bucket: 'roomscribe-recordings-1a2b3c', key: `${randomUUID()}.ogg` };
  const report = (reportedAt: string, room?: { readonly roomName: string; readonly roomSessionId: string }) => ({
    ...{ ...owner, participantId: 'p-17', source: 'microphone' as const, location, reportedAt, reportedBy: 'evt-7f30' },
    ...{ startDate: '2026-03-02T09:00:07.250Z', endDate: '2026-03-02T09:30:40.000Z' },
    ...(room && { room }),
  });
  const room = { roomName: '/team/standup', roomSessionId: uuid(3) };
  const record = async (track: ReturnType<typeof report>) => {
    const measured = await meter.measure(async () => {
      await claimFiles({ ...owner, claimedAt: track.reportedAt }, [location]);
      await storeTrack(track);
    });
    return measured.writes;
  };
  const first = await record(report('2026-03-02T09:31:14.000Z', room));
  const later = await record(report('2026-03-02T09:31:15.000Z', room));
  expect([first, later]).toEqual([10, 6]);
  const closing = await meter.measure(() => register(finished));
  expect(closing.writes).toBe(5);

  const { listTracks } = trackRepository(meter.documents, tables.recordingTracks);
  expect((await meter.measure(() => listTracks(owner.organizationId, owner.recordingId))).reads).toBe(1);
});

test('a part of a work consumes 9 writes until it has ended, and one that is done at once 4', async () => {
  const meter = meterOf();
  const works = workRepository(meter.documents, String(endpoints.tables.transcriptionParts));
  const key = { organizationId: newOrganization(), workId: randomUUID() };
  const file = { bucket: 'roomscribe-transcripts-1a2b3c', key: `work/acme/${key.workId}/1.ogg` };
  const span = { participantId: 'p-17', from: 7.25, to: 1840, submittedSeconds: 611.4, file };
  const writesOf = (work: () => Promise<unknown>, calls?: number) => unitsOf(meter, 'writes', work, calls);
  const head = await writesOf(() => works.begin({ ...key, planKey: file.key, partCount: 2 }));
  const [part, silent] = [
    { ...key, part: 1 },
    { ...key, part: 2 },
  ];
  const stored = [
    await writesOf(() => works.addPart({ ...part, ...span, state: 'waiting' })),
    await writesOf(() => works.addPart({ ...silent, ...span, state: 'done' })),
  ];
  expect(stored).toEqual([4, 4]);
  const started = await writesOf(() => works.markPartRunning(part, '2026-03-02T09:32:01.000Z'));
  expect(started).toBe(1);
  const ended = await writesOf(() => works.endPart(part, { state: 'done' }));
  expect(ended).toBe(4);
  expect((await meter.measure(() => works.listParts(key))).reads).toBe(1);
  const removed = await writesOf(() => works.remove(key), 5); // its keys are read before and after its head is removed
  expect([head, removed]).toEqual([1, 3]);
});

test.each([
  [4, { begin: 1, find: 1, readSpoken: 1, change: 18, changeBefore: 2, remove: 2 }],
  [9, { begin: 2, find: 1, readSpoken: 1, change: 20, changeBefore: 3, remove: 3 }],
])('%i speakers of a transcription consume the units %o', async (count, expected) => {
  const meter = meterOf();
  const speakers = speakerRepository(meter.documents, tables);
  const key = { organizationId: newOrganization(), transcriptionId: randomUUID() };
  const row = { languageCode: 'en-US', speakers: Array.from({ length: count }, (_, index) => speakerOf(index)) };
  const corrections = { 'Speaker 1': { participantId: null, displayName: 'Ada Lovelace' } };
  const { change } = speakerChanges(meter.documents, tables);
  const begin = await unitsOf(meter, 'writes', () => speakers.begin(key, row));
  const find = await unitsOf(meter, 'reads', () => speakers.find(key));
  const read = { row: { ...row, corrections: {}, revision: 0 }, transcription: await storedReady(key) };
  expect({
    begin,
    find,
    change: await unitsOf(meter, 'writes', () => change(key, read, { corrections })),
    readSpoken: await unitsOf(meter, 'reads', () => spokenReader(meter.documents, tables)(key)),
    changeBefore: await unitsOf(meter, 'writes', () =>
      change(key, { ...read, row: { ...read.row, corrections, revision: 1 } }, { corrections }),
    ),
    remove: await unitsOf(meter, 'writes', () => speakers.remove(key)),
  }).toEqual(expected);
});

test('only speakers from before they were beside their transcription take a second read', async () => {
  const meter = meterOf();
  const readSpoken = spokenReader(meter.documents, tables);
  const owner = { organizationId: newOrganization(), transcriptionId: randomUUID() };
  const consumption = async (facts: Partial<TranscriptionRecord>) => {
    const record = { ...transcriptionRecord(owner), ...facts };
    await meterOf().documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(record) }));
    const { reads, calls } = await meter.measure(() => readSpoken(owner));
    return [reads, calls];
  };
  expect(await consumption({ state: 'in_progress' })).toEqual([1, 1]);
  expect(await consumption({ state: 'ready', type: 'LIVE_TRANSCRIPTION' })).toEqual([1, 1]);
  expect(await consumption({ state: 'ready' })).toEqual([2, 2]);
  await speakerRepository(meter.documents, tables).begin(owner, { languageCode: null, speakers: [] });
  expect(await consumption({ state: 'ready' })).toEqual([1, 1]);
});

/** A ready transcription of up to 1 KB that is stored. */
async function storedReady(key: TranscriptionKey) {
  const record = transcriptionRecord({ ...key, state: 'ready', revision: 2 });
  await meterOf().documents.send(new PutCommand({ TableName: tables.transcriptions, Item: toRow(record) }));
  return record;
}

/** A speaker with an id and a name of usual length. */
function speakerOf(index: number): Speaker {
  const voice = { speaker: `Speaker ${index + 1}`, participantId: uuid(index), displayName: 'Ada Lovelace' };
  return {
    ...{ ...voice, source: 'track', confidence: 1, input: 'microphone', spokenSeconds: 1204.315, turns: 117 },
    ...{ share: 0.312, longestTurnSeconds: 61.25, overlapSeconds: 20.11 },
  };
}

const filters = [
  {},
  { roomName: '/team/standup' },
  { state: 'ready' },
  { type: 'RECORDING_TRANSCRIPTION' },
  { roomSessionId: uuid(3) },
  { recordingId: uuid(2) },
];
const range = { startDateFrom: '2026-03-02T00:00:00Z', startDateTo: '2026-03-09T00:00:00Z' };

describe.each([0, 1_000])('with %i other transcriptions of the organization, in and out of the range', (others) => {
  test.each([
    ['10', 1.5],
    ['50', 6],
  ])('a page of %s consumes %f reads, with every filter', async (limit, expected) => {
    const meter = meterOf();
    const acme = newOrganization();
    const rowAt = (minutes: number, facts: object) =>
      toRow(
        transcriptionRecord({
          ...{ organizationId: acme, transcriptionId: randomUUID(), state: 'ready', roomName: '/team/standup' },
          startDate: new Date(Date.parse('2026-03-02T09:00:00.000Z') + minutes * 60_000).toISOString(),
          ...facts,
        }),
      );
    const unlike = {
      state: 'failed',
      type: 'LIVE_TRANSCRIPTION',
      roomName: '/team/another-room',
      roomSessionId: uuid(9),
    };
    await writeRows(meter.documents, tables.transcriptions, { count: 120, make: (index) => rowAt(index, {}) });
    await writeRows(meter.documents, tables.transcriptions, {
      count: others,
      make: (index) =>
        index % 2 === 0 ? rowAt(index, { ...unlike, recordingId: uuid(8) }) : rowAt(-10_000 + index, {}),
    });
    const list = transcriptionLister(meter.documents, tables.transcriptions);

    for (const filter of filters.flatMap((each) => [each, { ...each, ...range }])) {
      for (const sortBy of ['startDate:asc', 'startDate:desc']) {
        const query = { ...filter, limit, sortBy };
        const { results, cursor } = await list(acme, ListTranscriptions.parse(query));
        expect(results).toHaveLength(Number(limit));
        for (const place of [undefined, String(cursor)]) {
          const { reads, calls } = await meter.measure(() =>
            list(acme, ListTranscriptions.parse({ ...query, ...(place && { cursor: place }) })),
          );
          expect({ filter, place, calls, reads }).toEqual({ filter, place, calls: 1, reads: expected });
        }
      }
    }
    expect(meter.calls.filter(({ input }) => 'FilterExpression' in input)).toEqual([]);
  });
});
