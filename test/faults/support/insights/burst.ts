import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { batchOf, queueWorkers } from '#infra/functions/workers.ts';
import { settings } from '#infra/settings/stage-settings.ts';
import { pacedStarts } from '#shared/adapters/transcriptions/transcribe-jobs.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { placesThatStartJobs } from '#shared/runtime/names.ts';
import { organization } from '../../../support/machine.ts';
import { silentAmr } from '../../../support/media/amr.ts';
import { toHttpEvent } from '../api-call.ts';
import { functionsOf } from '../functions.ts';
import { FunctionProcess } from '../process.ts';
import { recordsOf, toEvent } from '../sqs-records.ts';
import { outputOf } from '../transcriptions/fake-transcribe.ts';
import { LimitedTranscribe } from '../transcriptions/limited-transcribe.ts';
import { VirtualClock } from '../virtual-clock.ts';
import type { World } from '../world.ts';

/** The quotas of the account, the pace of the stage, and how long a job takes. */
export type BurstSettings = {
  readonly quota: { readonly jobsAtOnce: number; readonly startsPerSecond: number };
  readonly startsPerSecond: number;
  readonly jobSeconds: number;
};

/** The batches of a stage without settings. */
const roomEventBatch = { size: settings.roomEventsBatchSize.default, windowSeconds: 0 };
/** How many messages one invocation of a worker gets. */
const sizeOf = (worker: string) =>
  queueWorkers.filter(({ name }) => name === worker).map((each) => batchOf(each, { roomEventBatch }).size)[0] ??
  Number.NaN;
/** How many starts each place makes in one invocation. */
export const startsInABatch = sizeOf('start-transcription');
const batches = { results: sizeOf('finish-transcription'), events: sizeOf('record-room-events') };
const clientsAtOnce = 8;
/** How often the reconciler runs. */
const reconcileMs = 120_000;

type Functions = ReturnType<typeof functionsOf>;
type Message = { readonly body: string; readonly visibleAt: number };
type Recorded = { readonly organizationId: string; readonly recordingId: string };
/** An execution environment of start-transcription, and the time on its clock. */
type Place = { readonly process: FunctionProcess; readonly functions: Functions; ms: number };

/**
 * A burst of transcriptions, on a clock that moves as far as the functions wait: for their pace, for the pauses of the SDK, for delayed messages
 * and for jobs. The reconciler runs every two minutes of it. Functions, tables and files are those of the world. The queue of
 * start-transcription is kept here, because its delays count. Nothing reads the other queues.
 */
export class Burst {
  readonly transcribe: LimitedTranscribe;
  /** How many deliveries of messages have failed. */
  failures = 0;
  mostJobsAtOnce = 0;
  private readonly world: World;
  private readonly settings: BurstSettings;
  private readonly clock: VirtualClock;
  private readonly process = new FunctionProcess();
  private readonly functions: Functions;
  private readonly places: readonly Place[];
  private readonly finishing: Promise<void>[] = [];
  private waiting: Message[] = [];
  private reconcilesAt: number;
  private running: { readonly name: string; readonly endsAt: number }[] = [];

  constructor(world: World, settings: BurstSettings) {
    this.world = world;
    this.settings = settings;
    this.clock = new VirtualClock(world.clock);
    this.reconcilesAt = this.clock.ms + reconcileMs;
    this.transcribe = new LimitedTranscribe(world.resources.s3, this.clock, settings.quota);
    this.transcribe.maxRunningJobs = settings.quota.jobsAtOnce;
    this.functions = this.functionsOf(this.process);
    this.places = Array.from({ length: placesThatStartJobs }, () => this.place());
  }

  /** Sends the events of recordings, and creates a transcription of each. */
  async create(count: number, organizations: number): Promise<void> {
    const ids = Array.from({ length: organizations }, () => organization());
    const recordings = Array.from({ length: count }, (_, index) => ({
      organizationId: String(ids[index % organizations]),
      recordingId: randomUUID(),
    }));
    for (const Key of ids.map(keyOf))
      await this.world.resources.s3.send(
        new PutObjectCommand({ Bucket: this.world.resources.buckets.recordings, Key, Body: silentAmr(60) }),
      );
    for (const some of chunk(recordings, batches.events))
      await this.work(
        this.process,
        this.functions.roomEvents,
        some.map(eventOf).map((event) => JSON.stringify(event)),
      );
    const left = recordings.values();
    const createNext = async () => {
      for (const recording of left) await this.createOne(recording);
    };
    await Promise.all(Array.from({ length: clientsAtOnce }, createNext));
  }

  private async createOne({ organizationId, recordingId }: Recorded): Promise<void> {
    const event = toHttpEvent({ organizationId, body: { recordingId } });
    const context = { getRemainingTimeInMillis: () => 29_000 } as Context;
    const answer = await this.process.run(() => this.functions.createTranscription(event as never, context));
    const { statusCode } = answer as APIGatewayProxyStructuredResultV2;
    if (statusCode !== 201) throw new Error(`Create answered ${statusCode}.`);
  }

  /** Runs the workers until no message waits and no job runs. */
  async run(): Promise<void> {
    while (this.waiting.length > 0 || this.running.length > 0) {
      const place = this.places.reduce((one, other) => (other.ms < one.ms ? other : one));
      const nextMessage = Math.min(...this.waiting.map(({ visibleAt }) => visibleAt));
      const startsAt = Math.max(place.ms, nextMessage);
      const nextEnd = Math.min(...this.running.map(({ endsAt }) => endsAt));
      if (this.reconcilesAt <= Math.min(startsAt, nextEnd)) await this.reconcile();
      else if (nextEnd <= startsAt) await this.endJobs(startsAt);
      else await this.start(place, startsAt);
    }
    await Promise.all(this.finishing);
  }

  private async start(place: Place, at: number): Promise<void> {
    this.clock.ms = at;
    const batch = this.waiting.filter(({ visibleAt }) => visibleAt <= at).slice(0, startsInABatch);
    this.waiting = this.waiting.filter((message) => !batch.includes(message));
    const before = new Set(this.transcribe.started.keys());
    const bodies = batch.map(({ body }) => body);
    await this.work(place.process, place.functions.transcriptionJobs, bodies);
    place.ms = this.clock.ms;
    for (const name of this.transcribe.running().filter((running) => !before.has(running)))
      this.running.push({ name, endsAt: place.ms + this.settings.jobSeconds * 1000 });
    this.mostJobsAtOnce = Math.max(this.mostJobsAtOnce, this.running.length);
  }

  private async reconcile(): Promise<void> {
    this.clock.ms = this.reconcilesAt;
    this.reconcilesAt += reconcileMs;
    await this.process.run(() => this.functions.reconcile({}, { getRemainingTimeInMillis: () => 60_000 }));
  }

  /** Ends the jobs whose time has come, and delivers their events. */
  private async endJobs(until: number): Promise<void> {
    const ended = this.running.filter(({ endsAt }) => endsAt <= until).slice(0, batches.results);
    this.running = this.running.filter((job) => !ended.includes(job));
    const events = ended.map(async ({ name }) => {
      const detail = await this.transcribe.end(name, { output: outputOf('hello there') });
      return JSON.stringify({ 'detail-type': 'Transcribe Job State Change', detail });
    });
    const bodies = await Promise.all(events);
    this.finishing.push(this.work(this.process, this.functions.transcriptionResults, bodies));
  }

  /** Invokes a worker with a batch. What fails does not come again, because nothing may fail. */
  private async work(process: FunctionProcess, worker: Functions['roomEvents'], bodies: readonly string[]) {
    const records = recordsOf(bodies);
    const { batchItemFailures } = await process.run(() => worker(toEvent(records)));
    this.failures += batchItemFailures.length;
  }

  private place(): Place {
    const process = new FunctionProcess();
    return { process, functions: this.functionsOf(process), ms: this.clock.ms };
  }

  private functionsOf(process: FunctionProcess): Functions {
    const { clients, resources, receivers } = this.world;
    const { now, pause } = this.clock;
    return functionsOf(
      process,
      { ...clients, sqs: this.queuesWithDelays() },
      resources,
      { transcribe: this.transcribe, receivers },
      now,
      { paced: (jobs) => pacedStarts(jobs, this.settings.startsPerSecond, { now: () => this.clock.ms, pause }) },
    );
  }

  /** A client that keeps the messages to start-transcription until their delay has passed. */
  private queuesWithDelays(): SQSClient {
    const send = async (command: object) => {
      if (!(command instanceof SendMessageBatchCommand)) return {};
      const { QueueUrl, Entries = [] } = command.input;
      for (const { MessageBody: body = '', DelaySeconds = 0 } of Entries)
        if (QueueUrl === this.world.resources.queues.transcriptionJobs)
          this.waiting.push({ body, visibleAt: this.clock.ms + DelaySeconds * 1000 });
      return {};
    };
    return Object.assign(Object.create(SQSClient.prototype), { send });
  }
}

const keyOf = (organizationId: string) => `${organizationId}/meeting.amr`;

function eventOf({ organizationId, recordingId }: Recorded) {
  const data = {
    ...{ recordingId, roomName: '/standup', roomSessionId: randomUUID(), filename: 'standup.amr' },
    ...{ startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:01:00.000Z' },
    location: { bucket: 'recordings', key: keyOf(organizationId) },
  };
  return { id: randomUUID(), type: 'recording.finished', organizationId, createdAt: data.endDate, data };
}
