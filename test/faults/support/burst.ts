import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyStructuredResultV2, Context, SQSBatchResponse } from 'aws-lambda';
import { pacedStarts } from '#shared/adapters/transcribe/transcribe-jobs.ts';
import { chunk } from '#shared/chunk.ts';
import { placesThatStartJobs } from '#shared/names.ts';
import { silentAmr } from '../../support/amr.ts';
import { organization } from '../../support/machine.ts';
import { toHttpEvent } from './api-call.ts';
import { outputOf } from './fake-transcribe.ts';
import { functionsOf } from './functions.ts';
import { LimitedTranscribe } from './limited-transcribe.ts';
import { FunctionProcess } from './process.ts';
import { recordsOf, toEvent } from './sqs-records.ts';
import { VirtualClock } from './virtual-clock.ts';
import type { World } from './world.ts';

/** The quotas of the account, the pace of the stage, and how long a job takes. */
export type BurstSettings = {
  readonly quota: { readonly jobsAtOnce: number; readonly startsPerSecond: number };
  readonly startsPerSecond: number;
  readonly jobSeconds: number;
};

/** How many starts each place makes in one invocation, as in infra/workers.ts. */
export const startsInABatch = 2;
/** The batches of the other workers. */
const batches = { results: 5, events: 100 };
const maxReceives = 5;
const hiddenMs = 180_000;
const clientsAtOnce = 8;

type Functions = ReturnType<typeof functionsOf>;
type Message = { readonly body: string; readonly visibleAt: number; readonly receives: number };
type Recorded = { readonly organizationId: string; readonly recordingId: string };
/** An execution environment of start-transcription, and the time on its clock. */
type Place = { readonly process: FunctionProcess; readonly functions: Functions; ms: number };

/**
 * A world in which the clock moves as far as the functions wait: the pace, the pauses of the SDK, delayed messages and the length of jobs. The
 * functions, tables, files and queues are those of the world. Only the queue of starts is kept here, because its delays count.
 */
export class Burst {
  readonly transcribe: LimitedTranscribe;
  readonly deadLetters: string[] = [];
  mostJobsAtOnce = 0;
  private readonly world: World;
  private readonly settings: BurstSettings;
  private readonly clock: VirtualClock;
  private readonly process = new FunctionProcess();
  private readonly functions: Functions;
  private readonly places: readonly Place[];
  private readonly finishing: Promise<void>[] = [];
  private waiting: Message[] = [];
  private running: { readonly name: string; readonly endsAt: number }[] = [];

  constructor(world: World, settings: BurstSettings) {
    this.world = world;
    this.settings = settings;
    this.clock = new VirtualClock(world.clock);
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
      await this.world.resources.s3.send(new PutObjectCommand({ Bucket: 'recordings', Key, Body: silentAmr(60) }));
    for (const some of chunk(recordings, batches.events))
      await this.work(
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
      if (Math.min(...this.running.map(({ endsAt }) => endsAt)) <= startsAt) await this.endJobs(startsAt);
      else await this.start(place, startsAt);
    }
    await Promise.all(this.finishing);
  }

  private async start(place: Place, at: number): Promise<void> {
    this.clock.ms = at;
    const batch = this.waiting.filter(({ visibleAt }) => visibleAt <= at).slice(0, startsInABatch);
    this.waiting = this.waiting.filter((message) => !batch.includes(message));
    const records = recordsOf(batch.map(({ body }) => body)) as { messageId: string }[];
    const before = new Set(this.transcribe.started.keys());
    const response = await place.process.run(() => place.functions.transcriptionJobs(toEvent(records)));
    place.ms = this.clock.ms;
    const failed = new Set(response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const [index, { body, receives }] of batch.entries()) {
      if (!failed.has(String(records[index]?.messageId))) continue;
      if (receives + 1 === maxReceives) this.deadLetters.push(body);
      else this.waiting.push({ body, visibleAt: place.ms + hiddenMs, receives: receives + 1 });
    }
    for (const name of this.transcribe.running().filter((running) => !before.has(running)))
      this.running.push({ name, endsAt: place.ms + this.settings.jobSeconds * 1000 });
    this.mostJobsAtOnce = Math.max(this.mostJobsAtOnce, this.running.length);
  }

  /** Ends the jobs whose time has come, and delivers their events. */
  private async endJobs(until: number): Promise<void> {
    const ended = this.running.filter(({ endsAt }) => endsAt <= until).slice(0, batches.results);
    this.running = this.running.filter((job) => !ended.includes(job));
    const events = ended.map(async ({ name }) => {
      const detail = await this.transcribe.end(name, { output: outputOf('hello there') });
      return JSON.stringify({ 'detail-type': 'Transcribe Job State Change', detail });
    });
    this.finishing.push(this.work(this.functions.transcriptionResults, await Promise.all(events)));
  }

  private async work(handler: Functions['roomEvents'], bodies: readonly string[]): Promise<void> {
    const { batchItemFailures } = (await this.process.run(() =>
      handler(toEvent(recordsOf(bodies))),
    )) as SQSBatchResponse;
    this.deadLetters.push(...batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  }

  private place(): Place {
    const process = new FunctionProcess();
    return { process, functions: this.functionsOf(process), ms: this.clock.ms };
  }

  private functionsOf(process: FunctionProcess): Functions {
    const { clients, resources, receivers } = this.world;
    const { now, pause } = this.clock;
    const perPlace = this.settings.startsPerSecond / placesThatStartJobs;
    return functionsOf(
      process,
      { ...clients, sqs: this.delayedMessages() },
      resources,
      { transcribe: this.transcribe, receivers },
      now,
      { paced: (jobs) => pacedStarts(jobs, perPlace, { now: () => this.clock.ms, pause }) },
    );
  }

  /** A client of the queues that keeps what start-transcription sends again, until its delay has passed. */
  private delayedMessages(): SQSClient {
    const send = async (command: object) => {
      if (command instanceof SendMessageBatchCommand)
        for (const { MessageBody = '', DelaySeconds = 0 } of command.input.Entries ?? [])
          this.waiting.push({ body: MessageBody, visibleAt: this.clock.ms + DelaySeconds * 1000, receives: 0 });
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
