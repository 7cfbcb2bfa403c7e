import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { queueDepth } from '#tools/shared/queue-depth.ts';
import { requestToken } from '#tools/shared/token.ts';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { recount } from '#tools/simulation/recount.ts';
import { joinsOfOneSession } from '../../support/insights/session-events.ts';
import { effectsOn } from '../effects.ts';
import { withLocalRunner } from '../local-runner.ts';
import { processorLoad, processorsFromNow } from '../processors.ts';
import { quantile } from '../quantiles.ts';
import type { Finding, Report } from '../report.ts';
import { sendInBatches } from '../send-batches.ts';
import { createTraffic } from './traffic.ts';

const eventsPerSecond = 50;
/** The benchmark measures the lag of one event in this many. */
const sampleInterval = 10;
const maxLagMs = 5000;
const organizationIds = ['amber', 'birch', 'cedar', 'daisy', 'elder'];
const roomsOfEach = 20;
/** The flood is joins of so many people to one session after the other. */
const joinsAtOnce = 1_000;
/** Sending takes processor time of what is measured, so most of the flood is sent before. */
const [floodPerSecond, fewestOfFlood] = [300, 2_000];

/** Sends events at a steady rate, and measures the lag of a sample of them: first alone, then beside a flood of another organization. */
export async function measureLag(seconds: number, seed: number): Promise<Report> {
  const alone = await withLocalRunner((endpoints) => lagAlone(endpoints, seconds, seed));
  const beside = await withLocalRunner((endpoints) => lagBesideFlood(endpoints, seconds, seed));
  return {
    setup:
      `${eventsPerSecond} session events a second for ${seconds} s (seed ${seed}) into the room-events queue, from ` +
      `${organizationIds.length * roomsOfEach} rooms of ${organizationIds.length} organizations. The benchmark polls for the effect of one event in ${sampleInterval}, starting after 0.2 s. ` +
      `Then the same on another runner, while another organization has a backlog: ${seconds * floodPerSecond} joins, ${joinsAtOnce} for each session, and more when few are left.`,
    findings: [...alone, ...beside],
  };
}

async function lagAlone(endpoints: Endpoints, seconds: number, seed: number): Promise<Finding[]> {
  const tokens = await tokensOf(endpoints);
  const { sent, lags, calls, tookMs, busy } = await sendSteadily(endpoints, tokens, seconds, seed);
  const differences = await differencesOf(endpoints, tokens, sent);
  return [
    seenWithin('an event', lags),
    steadiness(sent.length, tookMs),
    {
      goal: 'an independent recount confirms the effect of every event',
      figure: `${sent.length} events`,
      spread: differences.length > 0 ? differences.join('; ') : `${organizationIds.length} organizations agree`,
      isMet: differences.length === 0,
    },
    {
      goal: 'API calls by the poller',
      figure: String(calls),
      spread: `${((calls * 1000) / tookMs).toFixed(0)} a second, ${(calls / lags.length).toFixed(1)} for each event`,
    },
    processorLoad('while sending', busy),
  ];
}

async function lagBesideFlood(endpoints: Endpoints, seconds: number, seed: number): Promise<Finding[]> {
  const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
  const { roomEvents = '' } = endpoints.queues;
  const tokens = await tokensOf(endpoints);
  const stopFlood = await startFlood(sqs, roomEvents, seconds * floodPerSecond);
  const { sent, lags, tookMs, busy } = await sendSteadily(endpoints, tokens, seconds, seed);
  const { joins, lowest } = await stopFlood();
  return [
    seenWithin('an event beside a flood of another organization', lags),
    steadiness(sent.length, tookMs),
    {
      goal: 'the flood has a backlog until the last event is visible',
      figure: `at least ${lowest} messages`,
      spread: `${joins} joins are sent`,
      isMet: lowest > eventsPerSecond,
    },
    processorLoad('beside the flood', busy),
  ];
}

/** Sends the first joins, of which most wait, and then more whenever few are left, until it is stopped. Resolves when the first are sent. */
async function startFlood(sqs: SQSClient, queue: string, first: number) {
  let [joins, lowest, isRunning] = [0, Number.POSITIVE_INFINITY, true];
  const add = async () => {
    await sendInBatches(sqs, queue, joinsOfOneSession('noisy', joinsAtOnce));
    joins += joinsAtOnce;
  };
  while (joins < first) await add();
  const flooding = (async () => {
    while (isRunning) {
      const { total } = await queueDepth(sqs, queue);
      lowest = Math.min(lowest, total);
      await (total < fewestOfFlood ? add() : delay(500));
    }
  })();
  return async () => {
    isRunning = false;
    await flooding;
    return { joins, lowest };
  };
}

async function tokensOf(endpoints: Endpoints): Promise<ReadonlyMap<string, string>> {
  const requests = organizationIds.map(async (id) => [id, await requestToken(endpoints, id)] as const);
  return new Map(await Promise.all(requests));
}

/** Sends each event at its scheduled time, without waiting for earlier events. */
async function sendSteadily(endpoints: Endpoints, tokens: ReadonlyMap<string, string>, seconds: number, seed: number) {
  const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
  const progress = openProgress(process.stderr);
  const traffic = createTraffic(createRandom('lag', seed), organizationIds, roomsOfEach);
  const effects = effectsOn(endpoints.apiUrl, tokens);
  const sent: PlatformEvent[] = [];
  const underWay: Promise<void>[] = [];
  const lags: number[] = [];
  const send = async (event: PlatformEvent, isSampled: boolean) => {
    const sentAt = performance.now();
    const { roomEvents: QueueUrl } = endpoints.queues;
    const message = { QueueUrl, MessageBody: asciiJson(event), MessageGroupId: event.organizationId };
    await sqs.send(new SendMessageCommand(message));
    if (isSampled) lags.push((await effects.seenAt(event)) - sentAt);
  };
  const busyShare = processorsFromNow();
  const startedAt = performance.now();
  for (let index = 0; index < seconds * eventsPerSecond; index++) {
    await delay(Math.max(0, startedAt + (index * 1000) / eventsPerSecond - performance.now()));
    const event = traffic.next();
    sent.push(event);
    underWay.push(send(event, index % sampleInterval === 0));
    if (index % eventsPerSecond === 0) progress.show('Sending events', index / eventsPerSecond + 1, seconds);
  }
  const [tookMs, busy] = [performance.now() - startedAt, busyShare()];
  await Promise.all(underWay);
  progress.end();
  return { sent, lags, calls: effects.calls(), tookMs, busy };
}

/** The differences between each organization's insights and a recount of the sent events. */
async function differencesOf(
  { apiUrl }: Endpoints,
  tokens: ReadonlyMap<string, string>,
  sent: readonly PlatformEvent[],
): Promise<string[]> {
  const differences: string[] = [];
  for (const [organizationId, token] of tokens) {
    const progress = openProgress(process.stderr);
    const onProgress = (what: string, done: number, total: number) =>
      progress.show(`${organizationId}: ${what}`, done, total);
    const expected = recount(organizationId, sent);
    const { difference } = await untilApiAgrees(
      expected,
      insightsApi(apiUrl, async () => token),
      { onProgress },
    );
    progress.end();
    if (difference !== undefined) differences.push(`${organizationId}: ${difference}`);
  }
  return differences;
}

function seenWithin(what: string, lags: readonly number[]): Finding {
  const show = (part: number) => `${(quantile(lags, part) / 1000).toFixed(2)} s`;
  return {
    number: 10,
    goal: `p99 of the time until ${what} is visible over HTTP: at most ${maxLagMs / 1000} s`,
    figure: show(0.99),
    spread: `p50 ${show(0.5)}, p90 ${show(0.9)}, max ${show(1)} of ${lags.length}`,
    isMet: quantile(lags, 0.99) <= maxLagMs,
  };
}

function steadiness(events: number, tookMs: number): Finding {
  const rate = (events * 1000) / tookMs;
  return {
    goal: `${eventsPerSecond} events a second are sent`,
    figure: `${rate.toFixed(1)} a second`,
    spread: `${events} events in ${(tookMs / 1000).toFixed(1)} s`,
    isMet: rate >= eventsPerSecond * 0.98,
  };
}
