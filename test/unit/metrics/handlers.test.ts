import { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { createHandler as createTranscription } from '#functions/api/transcriptions/create-transcription/handler.ts';
import { createHandler as deleteOne } from '#functions/api/transcriptions/delete-transcription/handler.ts';
import { createHandler as recordSamples } from '#functions/workers/platforms/record-network-samples/handler.ts';
import { createHandler as deleteMany } from '#functions/workers/transcriptions/delete-transcriptions/handler.ts';
import { createHandler as finish } from '#functions/workers/transcriptions/finish-transcription/handler.ts';
import { createHandler as reconcile } from '#functions/workers/transcriptions/reconcile-transcriptions/handler.ts';
import { createHandler as start } from '#functions/workers/transcriptions/start-transcription/handler.ts';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import { jobOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { StoredTranscription, TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { JobStart } from '#shared/domain/transcriptions/transcription-job.ts';
import { answering } from '../../support/client/fake-client.ts';
import { admission, httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { anyTime, sqsEvent, sqsRecord } from '../../support/http/sqs-events.ts';
import { inspected } from '../../support/media/inspected.ts';
import {
  closingStores,
  organizationId,
  partRecord,
  recordingRecord,
  tombstone,
  transcriptionRecord,
  uuid,
} from '../../support/operations/records.ts';
import { FakeStore } from '../../support/storage/fake-store.ts';
import { captureMetrics } from '../../support/storage/recorded-metrics.ts';
import { spoken } from '../../support/transcriptions/transcripts.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const queue = { sqs: answering(new SQSClient({ region: 'eu-west-1' })).client, url: 'url' };
const nothing = async () => {};
const noIdempotency = <Result>(_call: unknown, work: () => Promise<Result>) => work();

let metrics: ReturnType<typeof captureMetrics>;

beforeEach(() => {
  metrics = captureMetrics();
});

describe('a create request', () => {
  const handler = (previous?: TranscriptionRecord) =>
    createTranscription({
      admission,
      runOnce: noIdempotency,
      jobs: { send: nothing },
      transcriptions: new FakeStore(...(previous ? [previous] : [])).transcriptions,
      recordings: {
        find: async () => ({ ...recordingRecord(), latestTranscriptionId: previous?.transcriptionId }),
      },
      closing: closingStores,
      optionDefaults: { of: async () => [] },
      creation: { create: async () => 'created' },
    });

  test.each([
    ['counts a new transcription', undefined, { TranscriptionsCreated: 1 }],
    ['counts nothing if the transcription exists', transcriptionRecord(), {}],
  ])('%s', async (_name, previous, expected) => {
    await runEndpoint(handler(previous), httpEvent({ body: { recordingId: uuid(2) } }));
    expect(metrics.sums()).toEqual(expected);
  });
});

const partsOf = ({ works }: FakeStore) => ({ works, partsAtOnce: 2, sendMerge: nothing });

describe('a message that starts a job', () => {
  const startsNow = new Date('2026-03-01T10:00:01.000Z');
  const run = (started: JobStart, { bytes = 1000, now = startsNow, row = transcriptionRecord(), part = 0 } = {}) => {
    const store = new FakeStore(row);
    const parts = [partRecord(1), partRecord(2, { state: 'running' })];
    store.works.put({ ...owner, workId: owner.transcriptionId }, parts);
    const handler = start({
      queue,
      transcriptions: store.transcriptions,
      due: { postpone: nothing },
      inspector: { inspect: async () => inspected({ bytes }) },
      counts: store.counts,
      pieceSeconds: 14_400,
      preparations: { send: nothing },
      ...partsOf(store),
      jobs: { start: async () => started },
      refusal: store.refusal,
      jobMessages: { send: nothing },
      now: () => now,
    });
    return handler(sqsEvent({ ...owner, attempt: 0, ...(part > 0 && { part }) }));
  };

  test('counts the start and the recorded time', async () => {
    await run('started');
    expect(metrics.sums()).toEqual({ TranscriptionsStarted: 1, TranscribedTime: 600 });
  });

  test('counts that Transcribe is busy', async () => {
    await run('busy');
    expect(metrics.sums()).toEqual({ TranscribeBusy: 1 });
  });

  test('counts a transcription that is given up because Transcribe is busy for too long', async () => {
    await run('busy', { now: new Date('2026-03-03T10:00:00.000Z') });
    expect(metrics.sums()).toEqual({ TranscriptionsFailed: 1, JobsGivenUp: 1 });
  });

  test('counts parts that are given up while another one runs, and no failed transcription', async () => {
    await run({ refused: 'engine_not_enabled' }, { row: transcriptionRecord({ partCount: 2 }), part: 1 });
    expect(metrics.sums()).toEqual({ PartsFailed: 1, JobsGivenUp: 1 });
  });

  test.each([
    ['a recording that Transcribe rejects', { refused: 'unsupported_media' } as const, 1000],
    ['a recording that is too large to try', 'started' as const, 200e9],
  ])('counts %s', async (_name, started, bytes) => {
    await run(started, { bytes });
    expect(metrics.sums()).toEqual({ TranscriptionsFailed: 1 });
  });

  test('counts nothing if the transcription has already ended', async () => {
    await run('started', { row: transcriptionRecord({ state: 'ready' }) });
    expect(metrics.sums()).toEqual({});
  });
});

describe('a job that ended', () => {
  const run = async (row: StoredTranscription, failureCode?: 'engine_error') => {
    const store = new FakeStore(row);
    store.files.set(jobOutputKey(owner), 'output');
    const handler = finish({
      queue,
      transcriptions: store.transcriptions,
      files: store.filesOf,
      speakers: store.speakersOf,
      sendChange: nothing,
      ...partsOf(store),
      sendJobs: nothing,
      due: { postpone: nothing },
      people: { peopleOf: async () => nobodyKnown },
      speech: { speechOf: async () => [] },
      jobs: { remove: store.jobsOf.remove, endOf: () => ({ work: owner, ...(failureCode && { failureCode }) }) },
      parseOutput: () => spoken(),
      now: () => new Date(Date.parse(transcriptionRecord().createdAt) + 90_500),
    });
    const detail = { TranscriptionJobName: 'job', TranscriptionJobStatus: 'COMPLETED' };
    await handler(sqsEvent({ detail }, { detail }));
  };

  test('counts once as ready, even if the event repeats, with the time since it was created', async () => {
    await run(transcriptionRecord());
    expect(metrics.sums()).toEqual({ TranscriptionsReady: 1, TimeToReady: 90.5 });
  });

  test('counts once as failed', async () => {
    await run(transcriptionRecord(), 'engine_error');
    expect(metrics.sums()).toEqual({ TranscriptionsFailed: 1 });
  });

  test('does not count if the transcription was deleted', async () => {
    await run(tombstone());
    expect(metrics.sums()).toEqual({});
  });
});

describe('a deletion', () => {
  const stored = () => {
    const {
      transcriptions,
      works,
      filesOf: files,
      speakersOf: speakers,
      jobsOf: jobs,
    } = new FakeStore(transcriptionRecord());
    return { transcriptions, works, files, speakers, jobs, sendChange: nothing };
  };

  test('counts once, even if it is requested twice', async () => {
    const handler = deleteOne({ admission, ...stored() });
    const request = httpEvent({ params: { transcriptionId: owner.transcriptionId } });
    await runEndpoint(handler, request);
    expect(metrics.sums()).toEqual({ TranscriptionsDeleted: 1 });
    await runEndpoint(handler, request);
    expect(metrics.sums()).toEqual({ TranscriptionsDeleted: 1 });
  });

  test('of many transcriptions counts those that existed', async () => {
    const message = { organizationId: owner.organizationId, transcriptionIds: [uuid(1), uuid(9)] };
    await deleteMany({ queue, bulkDeletes: { send: async () => {} }, ...stored() })(sqsEvent(message));
    expect(metrics.sums()).toEqual({ TranscriptionsDeleted: 1 });
  });
});

describe('the reconciler', () => {
  const run = async (row: StoredTranscription, job?: 'running' | 'completed', now = '2026-03-01T11:00:00.000Z') => {
    const store = new FakeStore(row);
    if (job) store.setJob(owner, job);
    const due = { ...owner, dueAt: '2026-03-01T10:02:00.000Z' };
    const handler = reconcile({
      transcriptions: store.transcriptions,
      due: {
        async *listDue() {
          yield due;
        },
        postpone: nothing,
        settle: nothing,
      },
      files: store.filesOf,
      jobs: store.jobsOf,
      ...partsOf(store),
      sendJobs: nothing,
      sendResult: nothing,
      now: () => new Date(now),
    });
    await handler({}, { getRemainingTimeInMillis: () => 60_000 });
  };

  test.each([
    ['a job that it restarts', transcriptionRecord(), undefined, { JobsHealed: 1 }],
    ['a result that it sends', transcriptionRecord(), 'completed' as const, { JobsHealed: 1 }],
    ['nothing if a job still runs', transcriptionRecord(), 'running' as const, {}],
    ['nothing if it cleans up', tombstone(), undefined, {}],
    ['nothing if there is nothing to do', transcriptionRecord({ state: 'ready' }), undefined, {}],
  ])('counts %s', async (_name, row, job, expected) => {
    await run(row, job);
    expect(metrics.sums()).toEqual(expected);
  });

  test('counts a job that it gives up', async () => {
    await run(transcriptionRecord(), 'running', '2026-03-03T10:00:00.000Z');
    expect(metrics.sums()).toEqual({ JobsGivenUp: 1, TranscriptionsFailed: 1 });
  });
});

describe('the lag of a batch', () => {
  const sample = (id: string) => ({
    id,
    type: 'room.client.sampled',
    organizationId: 'acme',
    createdAt: '2026-03-01T10:00:00.000Z',
    data: {
      roomSessionId: uuid(3),
      participantId: 'p',
      startedAt: '2026-03-01T09:59:00.000Z',
      sampleRateMs: 1000,
      packetLossSend: [1],
      packetLossRecv: [1],
      bitrateSend: [1],
      bitrateRecv: [1],
    },
  });

  test('is logged in one line, with a value for each recorded message', async () => {
    const keepSamples = async ({ id }: { readonly id: string }) => {
      if (id === 'bad') throw new Error('not stored');
    };
    await recordSamples({
      queue,
      timeBounds: anyTime,
      facts: { keepSamples, keepSpeech: async () => {} },
      askForTalk: nothing,
    })({
      Records: [sample('a'), sample('bad'), 'junk', sample('b')].map((body, index) =>
        sqsRecord(body, { messageId: `message-${index}`, sentAt: new Date(0) }),
      ),
    });
    expect(metrics.recorded()).toEqual([
      { name: 'NetworkSampleLag', unit: 'Milliseconds', values: [expect.any(Number), expect.any(Number)] },
    ]);
    for (const { values } of metrics.recorded())
      for (const value of values) expect(Number(value)).toBeGreaterThan(Date.parse('2026-01-01')); // the messages were sent at epoch 0
  });
});
