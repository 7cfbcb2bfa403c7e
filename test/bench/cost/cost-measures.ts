import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { endpointLimits } from '#infra/functions/endpoint-limits.ts';
import { usualMemoryMb } from '#infra/functions/function-memory.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { toRoomRow } from '#shared/storage/insights/rows.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { httpEvent } from '../../support/http/http-events.ts';
import { sqsEvent } from '../../support/http/sqs-events.ts';
import {
  consumptionOfEvents,
  consumptionOfSamples,
  consumptionOfSession,
} from '../../support/insights/insight-consumption.ts';
import { type InsightTables, insightFunctions } from '../../support/insights/insight-functions.ts';
import { storedRoom, writeRows } from '../../support/insights/stored-rooms.ts';
import { memoryFile } from '../../support/media/media-files.ts';
import { transcriptionRecord } from '../../support/operations/records.ts';
import { type CapacityMeter, type Consumption, capacityMeter } from '../../support/storage/capacity-meter.ts';
import { type DistantDynamoDb, withDistantDynamoDb } from '../distant-dynamodb.ts';
import { type MediaRunner, withMediaRunner } from '../media/media-runner.ts';
import { functionEnv, roomEvents, sampleEvents } from './cost-events.ts';
import { type MeasuredFunction, measureFunction } from './invoked-function.ts';

/** What an invocation of an endpoint takes, its memory in the stack, and the units of DynamoDB that it consumes. */
export type MeasuredCall = MeasuredFunction & { readonly memoryMb: number; readonly units: Consumption };

/** What the work of the service takes, measured on this machine. */
export type Measures = {
  readonly pages: Readonly<Record<'get' | 'transcriptions' | 'rooms', MeasuredCall>>;
  readonly workers: Readonly<Record<'event' | 'sample' | 'tenSamples', MeasuredFunction>>;
  /** The 11 events of a session of four people, each delivered alone. */
  readonly session: Consumption;
  /** The end of a session is told. */
  readonly told: Consumption;
  /** A minute of one participant's network samples. */
  readonly sampledMinute: Consumption;
  /** A recording from its event until it is ready, without the calls that wait for it. */
  readonly recording: Consumption;
};

/** Each call takes so much longer than on this machine, so that calls side by side begin before the first one ends. */
const delayMs = 2;
/** How often a process invokes a function. */
const ofEndpoints = { warmUps: 400, measured: 300 };
const ofWorkers = { warmUps: 110, measured: 110 };
const pageSize = 10;
const recordings = 5;
const sample = new URL('../../../tools/local/sample/recording.wav', import.meta.url);
/** Organizations have ids as long as those of Cognito's clients: the size of an item depends on them. */
const newOrganization = () => OrganizationId.parse(randomUUID().replaceAll('-', '').slice(0, 26));

type Scene = { readonly dynamodb: DistantDynamoDb; readonly runner: MediaRunner; readonly meter: CapacityMeter };

/** Measures units, processor time, waiting and memory of what costs money, on a local runner. */
export async function measureWork(): Promise<Measures> {
  return withDistantDynamoDb(delayMs, (dynamodb) =>
    withMediaRunner({ share: 0, dynamodbUrl: dynamodb.url }, async (runner) => {
      const scene = { dynamodb, runner, meter: capacityMeter(clientSettings(dynamodb.url)) };
      const organizationId = newOrganization();
      const { recording, transcriptionId } = await measureRecordings(scene, organizationId);
      const pages = await measurePages(scene, organizationId, transcriptionId);
      return { pages, recording, workers: await measureWorkers(scene), ...(await measureSessions(scene)) };
    }),
  );
}

/** The fewest units of a few recordings, because messages that come late are asked for again. The transcription is the last one. */
async function measureRecordings({ dynamodb, runner }: Scene, organizationId: OrganizationId) {
  const media = memoryFile(await readFile(sample));
  await runner.transcribe(newOrganization(), [{ media }], 31); // starts the functions
  const each: Consumption[] = [];
  for (let index = 1; index < recordings; index++) {
    const organization = newOrganization();
    const consumed = dynamodb.count(organization);
    const { polls } = await runner.transcribe(organization, [{ media }], 31);
    // Each call that waits counts points, and reads the transcription with its speakers.
    each.push({
      writes: consumed.writes - polls,
      reads: consumed.reads - polls,
      calls: consumed.calls - 2 * polls,
    });
  }
  const { transcription } = await runner.transcribe(organizationId, [{ media }], 31);
  const [recording = { writes: 0, reads: 0, calls: 0 }] = each.toSorted((one, other) => one.writes - other.writes);
  return { recording, transcriptionId: transcription.transcriptionId };
}

async function measurePages(scene: Scene, organizationId: OrganizationId, transcriptionId: string) {
  const { meter, runner } = scene;
  const { tables } = runner.endpoints;
  await writeRows(meter.documents, String(tables.transcriptions), {
    count: 4 * pageSize,
    make: () =>
      toRow(
        transcriptionRecord({
          ...{ organizationId, transcriptionId: randomUUID(), recordingId: randomUUID(), roomSessionId: randomUUID() },
          state: 'ready',
        }),
      ),
  });
  await writeRows(meter.documents, String(tables.rooms), {
    count: 40 * pageSize,
    make: (index) => toRoomRow(storedRoom(organizationId, index)),
  });
  const call = async (folder: string, facts: object): Promise<MeasuredCall> => {
    const consumed = scene.dynamodb.count(organizationId);
    const event = httpEvent({ claims: { client_id: organizationId }, ...facts });
    const env = functionEnv(runner.endpoints, scene.dynamodb.url);
    const measured = await measureFunction({ folder, nextEvent: () => event, env, ...ofEndpoints });
    const perCall = (units: number) => units / measured.invocations;
    const units = { writes: perCall(consumed.writes), reads: perCall(consumed.reads), calls: perCall(consumed.calls) };
    const { memorySize: memoryMb = usualMemoryMb } = endpointLimits[path.basename(folder)] ?? {};
    return { ...measured, memoryMb, units };
  };
  const query = `limit=${pageSize}`;
  return {
    get: await call('api/transcriptions/get-transcription', { params: { transcriptionId } }),
    transcriptions: await call('api/transcriptions/list-transcriptions', { query }),
    rooms: await call('api/insights/list-room-insights', { query }),
  };
}

async function measureWorkers({ runner, dynamodb }: Scene): Promise<Measures['workers']> {
  const env = functionEnv(runner.endpoints, dynamodb.url);
  const [events, samples] = [roomEvents(newOrganization()), sampleEvents(newOrganization())];
  const measure = (name: string, nextEvent: () => object) =>
    measureFunction({ folder: `workers/${name}`, nextEvent, env, ...ofWorkers });
  return {
    event: await measure('record-room-events', () => sqsEvent(events())),
    sample: await measure('record-network-samples', () => sqsEvent(samples())),
    tenSamples: await measure('record-network-samples', () => sqsEvent(...Array.from({ length: 10 }, samples))),
  };
}

async function measureSessions({
  meter,
  runner,
}: Scene): Promise<Pick<Measures, 'session' | 'told' | 'sampledMinute'>> {
  const insights = insightFunctions(meter.documents, runner.endpoints.tables as InsightTables);
  const measuring = { organizationId: newOrganization(), meter, insights };
  const measured = {
    ...(await consumptionOfEvents(measuring)),
    ...(await consumptionOfSession(measuring)),
    ...(await consumptionOfSamples(measuring)),
  };
  const of = (name: string) => {
    const consumption = measured[name];
    if (!consumption) throw new Error(`"${name}" was not measured.`);
    return consumption;
  };
  return {
    session: of('session of four people, 11 events'),
    told: of('end of a session is told'),
    sampledMinute: of('a minute of network samples'),
  };
}
