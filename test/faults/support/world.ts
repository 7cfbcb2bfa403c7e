import { randomUUID } from 'node:crypto';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { BatchWriteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { chunk } from '#shared/runtime/chunk.ts';
import type { QueueName } from '#shared/runtime/names.ts';
import { queueNames } from '#shared/runtime/names.ts';
import { dynamodb, organization } from '../../support/machine.ts';
import { silentAmr } from '../../support/media/amr.ts';
import {
  type ApiCall,
  type Outcome,
  type PostedHook,
  type ReceivedAnswer,
  toHookEvent,
  toHttpEvent,
} from './api-call.ts';
import { type FunctionClients, functionClients, functionsOf, type WorldSettings } from './functions.ts';
import { SentEvents } from './insights/sent-events.ts';
import { FakeReceivers } from './notices/fake-receivers.ts';
import { NoticeStream, streamEvent } from './notices/notice-stream.ts';
import { type FaultPlan, FunctionProcess, noFaults } from './process.ts';
import { createResources, type WorldResources } from './resources.ts';
import { recordsOf, toEvent, toRecord } from './sqs-records.ts';
import { StateObserver } from './state-observer.ts';
import { FakeTranscribe, outputOf } from './transcriptions/fake-transcribe.ts';
import { type Delivery, WorldQueues } from './world-queues.ts';

type Functions = ReturnType<typeof functionsOf>;
/** The endpoints' functions. */
export type ApiFunction = Exclude<keyof Functions, QueueName | 'receiveHook' | 'relayNotices' | ScheduledFunction>;
/** The functions that run on a schedule. */
export type ScheduledFunction = 'reconcile' | 'closeIdleSessions' | 'settleSessions' | 'sweepNotices';

const startOfTime = new Date('2026-03-01T10:00:00.000Z');

/** The limit of BatchWriteItem. */
const maxRowsPerWrite = 25;

/** A part's job takes longer than the worker that starts it, as at Transcribe. */
const secondsOfJob = 20;

/** A word of every transcript. If a log contains it, a transcript was logged. */
export const transcriptCanary = 'zanzibarcanary';

/**
 * The service's functions with their own real tables, queues and buckets, a fake Transcribe, and a clock that the test
 * controls. Delays and backoffs are skipped.
 */
export class World {
  clock = startOfTime;
  readonly transcribe: FakeTranscribe;
  /** The receivers of webhooks, and the event bus. */
  readonly receivers = new FakeReceivers(() => this.clock);
  /** The stream of the notices table. */
  readonly stream: NoticeStream;
  readonly resources: WorldResources;
  readonly states: StateObserver;
  readonly queues: WorldQueues;
  /** All events of rooms and sessions that were sent. */
  readonly sent = new SentEvents();
  /** Every answer of an endpoint. */
  readonly answers: ReceivedAnswer[] = [];
  /** The calls of the last invocation, including retries. */
  lastCalls: readonly string[] = [];

  /** A process without faults, which serves every call without a plan, as a warm Lambda environment does. */
  private readonly warmProcess = new FunctionProcess();
  private readonly warmFunctions: Functions;
  /** The clients of all functions. */
  readonly clients: FunctionClients;

  private readonly settings: WorldSettings;

  private constructor(resources: WorldResources, settings: WorldSettings) {
    this.settings = settings;
    this.resources = resources;
    this.clients = functionClients(resources);
    this.transcribe = new FakeTranscribe(resources.s3);
    this.queues = new WorldQueues(resources, this.sent);
    this.stream = new NoticeStream(resources.tables.notices);
    this.states = new StateObserver(resources.tables.transcriptions);
    this.warmFunctions = this.functionsOf(this.warmProcess);
  }

  /** Creates an empty world. */
  static async create(settings: WorldSettings = {}): Promise<World> {
    return new World(await createResources(), settings);
  }

  /** Stops the world's own server. */
  stop(): Promise<void> {
    return this.resources.stop();
  }

  /**
   * Removes the transcriptions, their speakers, the recordings, what is told, usage, webhooks, jobs, messages, files and answers so far. Other rows
   * stay. Sets the clock back.
   */
  async empty(): Promise<void> {
    await this.states.removeAll();
    const { tables } = this.resources;
    await removeRows(tables.recordings, 'organizationId', 'recordingId');
    await removeRows(tables.roomSessions, 'organizationRoom', 'roomSessionId');
    await removeRows(tables.refusedEvents, 'organizationId', 'receivedKey');
    await removeRows(tables.notices, 'organizationId', 'noticeKey');
    await removeRows(tables.usageDays, 'organizationId', 'usageKey');
    await removeRows(tables.webhooks, 'organizationId', 'webhookId');
    await removeRows(tables.webhookDeliveries, 'organizationWebhook', 'deliveryKey');
    this.receivers.forget();
    this.resources.empty();
    this.transcribe.empty();
    this.sent.takeChangedOrganizations();
    this.answers.length = 0;
    this.clock = startOfTime;
  }

  /** Uploads a recording of one minute and sends its event to the worker. */
  async recording(
    organizationId = organization(),
    overrides: Partial<{
      readonly recordingId: string;
      readonly endDate: string;
      readonly upload: boolean;
      readonly body: Uint8Array;
    }> = {},
  ) {
    const { recordingId = randomUUID(), body: Body = silentAmr(60) } = overrides;
    const location = { bucket: this.resources.buckets.recordings, key: `${organizationId}/${randomUUID()}.amr` };
    if (overrides.upload !== false)
      await this.resources.s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }));
    await this.event(organizationId, 'recording.finished', {
      recordingId,
      roomName: '/standup',
      roomSessionId: randomUUID(),
      startDate: '2026-03-01T09:00:00.000Z',
      endDate: overrides.endDate ?? '2026-03-01T09:01:00.000Z',
      filename: 'standup.wav',
      location,
    });
    return { organizationId, recordingId, location };
  }

  /** Passes an event of the platform directly to its worker. Throws if the worker reports a failure. */
  async event(organizationId: string, type: string, data: object, plan: FaultPlan = noFaults): Promise<void> {
    const body = { id: randomUUID(), type, organizationId, createdAt: this.clock.toISOString(), data };
    const failures = await this.work('roomEvents', [JSON.stringify(body)], plan);
    if (failures !== 0) throw new Error(`The worker did not accept the event: ${JSON.stringify(failures)}`);
  }

  /** Calls an endpoint's function as the gateway does. */
  async api(name: ApiFunction, call: ApiCall, plan: FaultPlan = noFaults): Promise<Outcome> {
    return this.request(name, call.organizationId, toHttpEvent(call), plan);
  }

  /** Posts a webhook of an organization's platform, as the gateway passes it on. */
  async post(organizationId: string, hook: PostedHook, plan: FaultPlan = noFaults): Promise<Outcome> {
    return this.request('receiveHook', organizationId, toHookEvent(hook), plan);
  }

  private async request(
    name: ApiFunction | 'receiveHook',
    organizationId: string,
    event: object,
    plan: FaultPlan,
  ): Promise<Outcome> {
    const context = { getRemainingTimeInMillis: () => 29_000 }; // the functions use nothing else
    const result = await this.run(plan, (functions) => functions[name](event as never, context as Context));
    if (result === 'killed') return 'killed';
    const { statusCode = 0, body: text, headers } = result as APIGatewayProxyStructuredResultV2;
    this.answers.push({ organizationId, status: statusCode, body: text, isFaulted: plan !== noFaults });
    return {
      status: statusCode,
      body: text ? JSON.parse(text) : undefined,
      location: headers?.location as string | undefined,
      retryAfter: headers?.['retry-after'] as string | undefined,
    };
  }

  /** Creates the transcription of a recording and returns its id. */
  async create(
    recording: { readonly organizationId: string; readonly recordingId: string },
    plan?: FaultPlan,
  ): Promise<string> {
    const { organizationId, recordingId } = recording;
    const outcome = await this.api('createTranscription', { organizationId, body: { recordingId } }, plan);
    if (outcome === 'killed' || outcome.status !== 201) throw new Error(`Not created: ${JSON.stringify(outcome)}`);
    return String(outcome.location?.split('/').at(-1));
  }

  /** Deletes a transcription through its endpoint. Throws if the answer is not 204. */
  async delete(organizationId: string, transcriptionId: string, plan?: FaultPlan): Promise<void> {
    const outcome = await this.api('deleteTranscription', { organizationId, transcriptionId }, plan);
    if (outcome === 'killed' || outcome.status !== 204) throw new Error(`Not deleted: ${JSON.stringify(outcome)}`);
  }

  /** The keys of a transcription's generated files. */
  async filesOf(organizationId: string, transcriptionId: string): Promise<string[]> {
    const Prefix = `generated/${organizationId}/${transcriptionId}/`;
    const { Contents = [] } = await this.resources.s3.send(
      new ListObjectsV2Command({ Bucket: this.resources.buckets.transcripts, Prefix }),
    );
    return Contents.map(({ Key }) => String(Key));
  }

  /** The text of one generated file. */
  async fileOf(organizationId: string, transcriptionId: string, format: string): Promise<string> {
    const Key = `generated/${organizationId}/${transcriptionId}/${transcriptionId}.${format}`;
    const command = new GetObjectCommand({ Bucket: this.resources.buckets.transcripts, Key });
    return (await (await this.resources.s3.send(command)).Body?.transformToString()) ?? '';
  }

  /** The transcription's state as a client sees it, or 404 if there is none. */
  async state(organizationId: string, transcriptionId: string): Promise<unknown> {
    const outcome = await this.api('getTranscription', { organizationId, transcriptionId });
    if (outcome === 'killed') throw new Error('No process was expected to die.');
    return outcome.status === 200 ? (outcome.body as { readonly state: string }).state : outcome.status;
  }

  /** Runs the reconciler once. */
  reconcile(plan: FaultPlan = noFaults): Promise<'killed' | 'done'> {
    return this.schedule('reconcile', plan);
  }

  /** Closes the sessions that are idle at the time of the world's clock. */
  closeIdleSessions(plan: FaultPlan = noFaults): Promise<'killed' | 'done'> {
    return this.schedule('closeIdleSessions', plan);
  }

  /** Tells the ends of the sessions that are due at the time of the world's clock. */
  settleSessions(plan: FaultPlan = noFaults): Promise<'killed' | 'done'> {
    return this.schedule('settleSessions', plan);
  }

  /** Relays notices that the stream has lost, and asks for the runs of webhooks whose time has come. */
  sweepNotices(plan: FaultPlan = noFaults): Promise<'killed' | 'done'> {
    return this.schedule('sweepNotices', plan);
  }

  /** Delivers the records of the stream of notices. Those that failed, or whose process died, come again. Returns their number. */
  async relay(plan: FaultPlan = noFaults, order = <Record>(records: readonly Record[]) => records): Promise<number> {
    const records = await this.stream.newRecords();
    if (records.length === 0) return 0;
    const result = await this.run(plan, (functions) => functions.relayNotices(streamEvent(order(records))));
    if (result === 'killed') return records.length;
    const failed = new Set(result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    this.stream.done(records.filter(({ dynamodb }) => !failed.has(String(dynamodb?.SequenceNumber))));
    return records.length;
  }

  private async schedule(name: ScheduledFunction, plan: FaultPlan): Promise<'killed' | 'done'> {
    const context = { getRemainingTimeInMillis: () => 60_000 };
    const result = await this.run(plan, (functions) => functions[name]({}, context));
    return result === 'killed' ? 'killed' : 'done';
  }

  /** Passes bodies directly to a queue's worker as one batch. Returns the number of failures, or `killed`. */
  async work(queue: QueueName, bodies: readonly string[], plan: FaultPlan = noFaults): Promise<number | 'killed'> {
    for (const body of bodies) this.sent.record(queue, body);
    const result = await this.run(plan, (functions) => functions[queue](toEvent(recordsOf(bodies))));
    return result === 'killed' ? 'killed' : result.batchItemFailures.length;
  }

  /** Delivers one batch of a queue to its worker. Failed messages become visible again at once. */
  async deliver(
    queue: QueueName,
    plan: FaultPlan = noFaults,
    { choose = (messages) => messages, lapses = false }: Delivery = {},
  ): Promise<{ readonly delivered: number; readonly killed: boolean }> {
    const received = await this.queues.receive(queue);
    if (received.length === 0) return { delivered: 0, killed: false };
    const messages = choose(received);
    for (const { Body = '' } of messages) this.sent.record(queue, Body); // also what the functions have sent
    for (const message of received)
      if (lapses || !messages.includes(message)) await this.queues.finish(queue, message, false);
    const result = await this.run(plan, (functions) => functions[queue](toEvent(messages.map(toRecord))));
    const failed =
      result === 'killed' ? undefined : new Set(result.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of lapses ? [] : messages) {
      await this.queues.finish(queue, message, failed !== undefined && !failed.has(String(message.MessageId)));
    }
    await this.states.observe();
    return { delivered: messages.length, killed: result === 'killed' };
  }

  /** Completes every running job and sends its event, unless `loseEvents` is set. */
  async endJobs({ loseEvents = false } = {}): Promise<number> {
    const names = this.transcribe.running();
    for (const name of names)
      await this.endJob(name, { output: outputOf(`hello ${transcriptCanary}`) }, { loseEvent: loseEvents });
    return names.length;
  }

  /** Ends one job and sends its event, unless `loseEvent` is set. */
  async endJob(name: string, result: Parameters<FakeTranscribe['end']>[1], { loseEvent = false } = {}): Promise<void> {
    const isPart = name.split('.').length > 3;
    if (isPart) this.clock = new Date(this.clock.getTime() + secondsOfJob * 1000);
    const detail = await this.transcribe.end(name, result);
    if (!loseEvent)
      await this.queues.send('transcriptionResults', { 'detail-type': 'Transcribe Job State Change', detail });
  }

  /** Runs jobs, workers and the reconciler, and advances the clock by hours, until nothing changes and nothing is due any more. */
  async settle(): Promise<void> {
    for (let idleRuns = 0, isAnythingDue = true, rounds = 0; idleRuns < 2 || isAnythingDue; rounds++) {
      if (rounds > 500) throw new Error('The world does not come to rest.');
      let progress = (await this.endJobs()) + (await this.relay());
      for (const queue of queueNames) progress += (await this.deliver(queue)).delivered;
      if (progress > 0 || this.queues.count('queues') > 0) {
        idleRuns = 0;
        continue;
      }
      this.clock = new Date(this.clock.getTime() + 49 * 3_600_000 * idleRuns + 3_600_000);
      await this.reconcile();
      isAnythingDue = (await this.states.observe()).some(({ dueAt }) => dueAt !== undefined);
      idleRuns = this.queues.count('queues') > 0 ? 0 : idleRuns + 1;
    }
  }

  /** Advances the clock by days, and runs only the reconciler and the workers of its messages on each. */
  async reconcileFor({ days }: { readonly days: number }): Promise<void> {
    for (let day = 0; day < days; day++) {
      this.clock = new Date(this.clock.getTime() + 24 * 3_600_000);
      await this.reconcile();
      do {
        for (const queue of queueNames) await this.deliver(queue);
      } while (this.queues.count('queues') > 0);
    }
  }

  private async run<Result>(
    plan: FaultPlan,
    invoke: (functions: Functions) => Promise<Result> | Result,
  ): Promise<Result | 'killed'> {
    const process = plan === noFaults ? this.warmProcess : new FunctionProcess(plan);
    const functions = plan === noFaults ? this.warmFunctions : this.functionsOf(process);
    const callsBefore = process.calls.length;
    const result = await Promise.race([
      process.died.then(() => 'killed' as const),
      process.run(() => invoke(functions)),
    ]);
    this.lastCalls = process.calls.slice(callsBefore);
    return result;
  }

  private functionsOf(process: FunctionProcess): Functions {
    return functionsOf(process, this.clients, this.resources, this, () => this.clock, this.settings);
  }
}

async function removeRows(TableName: string, ...names: readonly string[]): Promise<void> {
  const client = DynamoDBDocumentClient.from(dynamodb);
  for await (const { Items = [] } of paginateScan({ client }, { TableName }))
    for (const some of chunk(Items, maxRowsPerWrite)) {
      const requests = some.map((item) => ({
        DeleteRequest: { Key: Object.fromEntries(names.map((name) => [name, item[name]])) },
      }));
      await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    }
}
