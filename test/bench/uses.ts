import { authorizerMemoryMb, usualMemoryMb, wholeProcessorMb } from '#infra/functions/function-memory.ts';
import { queueWorkers } from '#infra/functions/workers.ts';
import { billOf, computed } from '../support/docs/documented-bills.ts';
import type { PriceName } from '../support/docs/prices.ts';
import { prices } from '../support/docs/prices.ts';
import { sumOfUses, times, type Use } from './cost/bill.ts';
import type { MeasuredCall, Measures } from './cost/cost-measures.ts';
import type { Invoked } from './cost/invoked-function.ts';

// What pieces of work use of AWS, from what was measured, and from assumptions that docs/performance.md states.

/** The assumptions about what cannot be measured here. */
export const assumed = {
  /** A call to DynamoDB from a function takes about as long. */
  roundMs: 4,
  coldShare: 0.01,
  initMs: 300,
  /** The gateway keeps what the authorizer says of a token for five minutes. A busy client sends so many requests meanwhile. */
  requestsPerAuthorizer: 100,
  /** A warm check takes 0.05 ms of a processor, and Lambda bills whole milliseconds. */
  authorizerMs: 1,
  logGbOfRun: 1e-6,
  noticeRunMs: 50,
  otherRunMs: 100,
  finishingMs: 3_000,
  mbOfMinute: 1,
  mbOfUploadPart: 8,
  mbOfTranscriptHour: 4,
  kbOfSession: 190,
  callsOfRecording: 12,
  people: 4,
  minutes: 30,
} as const;

const mbOfWorker = (name: string) => queueWorkers.find((worker) => worker.name === name)?.memorySize ?? usualMemoryMb;

type Taken = Pick<Invoked, 'cpuMs' | 'rounds'>;

/** The milliseconds of a warm invocation: it waits for calls, and computes with its share of a processor. */
export function warmMsOf({ cpuMs, rounds }: Taken, memoryMb: number): number {
  return rounds * assumed.roundMs + cpuMs * Math.max(1, wholeProcessorMb / memoryMb);
}

/** The gigabytes times seconds of an invocation, which is cold now and then. */
export function gbSecondsOf(taken: Taken, memoryMb: number): number {
  return gbSeconds(warmMsOf(taken, memoryMb) + assumed.coldShare * assumed.initMs, memoryMb);
}

function gbSeconds(ms: number, memoryMb: number): number {
  return (ms / 1000) * (memoryMb / 1024);
}

function run(lambdaGbSeconds: number): Use {
  return { lambdaRequests: 1, lambdaGbSeconds, logsWrittenGb: assumed.logGbOfRun };
}

const runOf = (ms: number, memoryMb: number) => run(gbSeconds(ms, memoryMb));
const message: Use = { sqsRequests: 3 }; // it is sent, received and deleted

/** A run of the authorizer. */
export const authorizerRun = runOf(assumed.authorizerMs + assumed.coldShare * assumed.initMs, authorizerMemoryMb);

/** A request to the API, without the authorizer. */
export function requestUse(call: MeasuredCall): Use {
  const { writes, reads } = call.units;
  const units = { dynamodbWrites: writes, dynamodbReads: reads };
  return sumOfUses({ httpApiRequests: 1 }, run(gbSecondsOf(call, call.memoryMb)), units);
}

/** Notices go to the event bus. No organization has a webhook. The units of the transaction that stores a notice are not in it. */
const noticeRelay = sumOfUses(times(3, runOf(assumed.noticeRunMs, usualMemoryMb)), times(2, message), {
  eventBusEvents: 1,
});

/** The events of a session of four people, each delivered alone, with its notices and its usage. */
export function sessionUse({ session, told, workers }: Pick<Measures, 'session' | 'told' | 'workers'>): Use {
  const run11 = run(gbSecondsOf(workers.event, mbOfWorker('record-room-events')));
  return sumOfUses(
    times(11, sumOfUses(message, run11)),
    { dynamodbWrites: session.writes + told.writes, dynamodbReads: session.reads + told.reads },
    times(2, sumOfUses(noticeRelay, { dynamodbWrites: 2, dynamodbReads: 1 })),
  );
}

/** The network samples of a session: a message of each person a minute, in batches of ten or one by one. */
export function samplesUse(
  { sampledMinute, workers }: Pick<Measures, 'sampledMinute' | 'workers'>,
  batch: 1 | 10,
): Use {
  const messages = assumed.people * assumed.minutes;
  const measured = batch === 1 ? workers.sample : workers.tenSamples;
  const batches = sumOfUses(message, run(gbSecondsOf(measured, mbOfWorker('record-network-samples'))));
  return sumOfUses(times(messages / batch, batches), { dynamodbWrites: messages * sampledMinute.writes });
}

/** A recording of some minutes, from its upload until it is ready, and kept for a month. Calls of the API that wait for it are not in it. */
export function recordingUse({ recording }: Pick<Measures, 'recording'>, minutes: number): Use {
  const { mbOfMinute, mbOfUploadPart, mbOfTranscriptHour, finishingMs, otherRunMs } = assumed;
  const [files, transcripts] = [minutes * mbOfMinute, (minutes / 60) * mbOfTranscriptHour];
  const [start, filesOfTranscript, ofTranscribe] = [2, 7, 4]; // requests to S3 around the upload, for the transcript, and to read
  return sumOfUses(
    { httpApiRequests: 1, dynamodbWrites: recording.writes, dynamodbReads: recording.reads },
    times(3, sumOfUses(message, runOf(otherRunMs, usualMemoryMb))), // creating it, its event, and the start of its job
    message,
    runOf(finishingMs, mbOfWorker('finish-transcription')),
    times(3, noticeRelay),
    { s3Puts: start + Math.ceil(files / mbOfUploadPart) + filesOfTranscript, s3Gets: ofTranscribe },
    { s3KeptGb: (files + transcripts) / 1000 },
  );
}

const ofLine: readonly (readonly [RegExp, PriceName])[] = [
  [/^metrics under alarm/, 'alarmMetrics'],
  [/^dashboard/, 'dashboards'],
  [/^the service's own metrics/, 'customMetrics'],
  [/^key of/, 'kmsKeys'],
  [/^Secrets Manager/, 'secrets'],
  [/^Cognito, clients/, 'cognitoClients'],
  [/^Cognito, tokens/, 'cognitoTokens'],
  [/^SQS/, 'sqsRequests'],
  [/, requests/, 'lambdaRequests'],
  [/, duration/, 'lambdaGbSeconds'],
  [/, reads/, 'dynamodbReads'],
  [/\blog\b/, 'logsWrittenGb'],
];

/** What a stage uses in a month without traffic, from the bill in docs/deploy.md. */
export function atRestUse(): Use {
  return sumOfUses(
    ...billOf('docs/deploy.md', 'Cost of an idle stage').lines.map(({ what, arithmetic }): Use => {
      const [, name] = ofLine.find(([pattern]) => pattern.test(what)) ?? [];
      if (name === undefined) throw new Error(`docs/deploy.md: "${what}" belongs to no price.`);
      return { [name]: (computed(arithmetic) * prices[name].per) / prices[name].dollars };
    }),
  );
}
