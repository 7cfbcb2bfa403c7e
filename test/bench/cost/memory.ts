import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import { mostWords } from '#shared/use-cases/transcriptions/parts/merge-transcription.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { requestToken } from '#tools/shared/token.ts';
import { createRandom } from '#tools/simulation/random.ts';
import {
  functionMb,
  heapMb,
  largest,
  participantMemory,
  type Samples,
  tooLarge,
} from '../../support/insights/participant-memory.ts';
import { writeMb, writeMemory } from '../../support/insights/write-memory.ts';
import { uuid } from '../../support/operations/records.ts';
import { correctionMb, correctionMemory } from '../../support/transcriptions/correction-memory.ts';
import {
  largestRecordings,
  type MergedRecording,
  mergeMb,
  mergeMemory,
} from '../../support/transcriptions/merge-memory.ts';
import { type Batch, largestBatches, workerMb, workerMemory } from '../../support/transcriptions/worker-memory.ts';
import { createTraffic } from '../fairness/traffic.ts';
import { withLocalRunner } from '../local-runner.ts';
import type { Finding, Report } from '../report.ts';

const organizationIds = ['amber', 'birch', 'cedar', 'daisy'];
const callers = 12;
const session = `roomSessionId=${uuid(1)}`;
const paths = [
  '/v1/transcriptions',
  `/v1/transcriptions/${uuid(1)}`,
  '/v1/insights/rooms',
  `/v1/insights/participants?${session}`,
  `/v1/insights/participant?${session}&participantId=ann`,
];
const maxRunnerMb = 2500;

/** Measures the peaks of participant detail and of the workers of room events, merges and corrections at their limits, and the memory of the local runner under mixed load. */
export async function measureMemory(seconds: number, seed: number): Promise<Report> {
  // At most two processes at once: they measure memory, and the machine has two processors.
  const [details, merges] = await Promise.all([detailAndWorkerFindings(), transcriptFindings()]);
  return withLocalRunner(async (endpoints, memoryMb) => ({
    setup:
      `Each bundled function runs once in a process of its own, get-participant with a heap of ${heapMb} MB. Workers run against a stand-in for DynamoDB and S3, with logs of 32 MB: ` +
      `joins of as many people as possible, or the longest ratings. The local runner serves ${callers} callers of five reads and about 50 events a second for ${seconds} s (seed ${seed}).`,
    findings: [...details, ...merges, await runnerFinding(endpoints, memoryMb, seconds, seed)],
  }));
}

async function detailAndWorkerFindings(): Promise<Finding[]> {
  return [
    await detailFinding('the largest participant detail (gzip)', largest.gzip, 'gzip'),
    await detailFinding('a participant detail whose session has the largest log', largest.log, 'gzip'),
    await detailFinding('the largest participant detail (not compressed)', largest.identity, 'identity'),
    await detailFinding('a participant detail over the limit', tooLarge, 'gzip'),
    await correctionFinding(),
    await workerFinding('three joins', largestBatches.joins),
    await workerFinding('three ratings', largestBatches.ratings),
    await workerFinding('three ends of sessions', largestBatches.ends),
  ];
}

async function transcriptFindings(): Promise<Finding[]> {
  return [
    await mergeFinding('24 hours in seven pieces', largestRecordings.day),
    await mergeFinding('1 000 parts of 100 tracks', largestRecordings.tracks),
    await mergeFinding('as many words as it takes', largestRecordings.words),
    await writeFinding(mostWords),
  ];
}

async function detailFinding(what: string, samples: Samples, acceptEncoding: string): Promise<Finding> {
  const { peakMb, statusCode } = await participantMemory(samples, acceptEncoding);
  return {
    goal: `peak of ${what}: at most 80 % of the function's ${functionMb} MB`,
    figure: `${Math.round(peakMb)} MB`,
    spread: `answer ${statusCode}`,
    isMet: peakMb <= functionMb * 0.8,
  };
}

async function correctionFinding(): Promise<Finding> {
  const { peakMb, statusCode } = await correctionMemory();
  return {
    goal: `peak of a correction to a participant of a session that has the largest log: at most 80 % of the function's ${correctionMb} MB`,
    figure: `${Math.round(peakMb)} MB`,
    spread: `answer ${statusCode}`,
    isMet: peakMb <= correctionMb * 0.8 && statusCode === 200,
  };
}

async function workerFinding(what: string, batch: Batch): Promise<Finding> {
  const { peakMb, failed } = await workerMemory(batch);
  return {
    goal: `peak of record-room-events for ${what}: at most 80 % of the worker's ${workerMb} MB`,
    figure: `${Math.round(peakMb)} MB`,
    spread: failed ? `${4 - failed} of 4 events recorded, the others are redelivered` : '4 of 4 events recorded',
    isMet: peakMb <= workerMb * 0.8,
  };
}

async function mergeFinding(what: string, recording: MergedRecording): Promise<Finding> {
  const { peakMb, failed, writtenMb, outputMb } = await mergeMemory(recording);
  return {
    goal: `peak of merge-transcription for ${what}: at most 80 % of the worker's ${mergeMb} MB`,
    figure: `${Math.round(peakMb)} MB`,
    spread: `${recording.parts} outputs of ${outputMb.toFixed(1)} MB become files of ${Math.round(writtenMb)} MB`,
    isMet: peakMb <= mergeMb * 0.8 && failed === 0 && writtenMb > 0,
  };
}

async function writeFinding(words: number): Promise<Finding> {
  const { peakMb, failed, readMb, writtenMb } = await writeMemory(words);
  return {
    goal: `peak of write-transcript for as many words as a merge takes: at most 80 % of the worker's ${writeMb} MB`,
    figure: `${Math.round(peakMb)} MB`,
    spread: `${Math.round(readMb)} MB of words become files of ${Math.round(writtenMb)} MB`,
    isMet: peakMb <= writeMb * 0.8 && failed === 0 && writtenMb > 0,
  };
}

async function runnerFinding(
  endpoints: Endpoints,
  memoryMb: () => Promise<number>,
  seconds: number,
  seed: number,
): Promise<Finding> {
  const before = await memoryMb();
  const figures: number[] = [];
  const progress = openProgress(process.stderr);
  const stop = await startLoad(endpoints, seed);
  const quarters = 4;
  for (let quarter = 1; quarter <= quarters; quarter++) {
    await delay((seconds * 1000) / quarters);
    figures.push(await memoryMb());
    progress.show('Loading the runner', quarter, quarters);
  }
  progress.end();
  const { calls, events } = await stop();
  const last = figures.at(-1) ?? 0;
  return {
    goal: `memory of the local runner after ${seconds} s of mixed load: at most ${maxRunnerMb} MB`,
    figure: `${last} MB`,
    spread: `${before} before, then ${figures.join(', ')} after each quarter; ${calls} calls, ${events} events`,
    isMet: last <= maxRunnerMb,
  };
}

/** Calls the API and sends events until the returned function is called. */
async function startLoad({ apiUrl, queues, sqsUrl, ...endpoints }: Endpoints, seed: number) {
  const requests = organizationIds.map((id) => requestToken(endpoints, id));
  const tokens = await Promise.all(requests);
  const sqs = new SQSClient(clientSettings(sqsUrl));
  const traffic = createTraffic(createRandom('memory', seed), organizationIds, 20);
  const done = { calls: 0, events: 0 };
  let isRunning = true;
  const call = async () => {
    while (isRunning) {
      const number = done.calls++;
      const authorization = `Bearer ${tokens[number % tokens.length]}`;
      const response = await fetch(`${apiUrl}${paths[number % paths.length]}`, { headers: { authorization } });
      await response.arrayBuffer();
    }
  };
  const send = async () => {
    while (isRunning) {
      await sqs.send(new SendMessageCommand({ QueueUrl: queues.roomEvents, MessageBody: asciiJson(traffic.next()) }));
      done.events++;
      await delay(20);
    }
  };
  const work = [...Array.from({ length: callers }, call), send()];
  return async () => {
    isRunning = false;
    await Promise.all(work);
    return done;
  };
}
