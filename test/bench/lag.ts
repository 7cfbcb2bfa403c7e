import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { requestToken } from '#tools/shared/token.ts';
import { untilApiAgrees } from '#tools/simulation/agreement.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { recount } from '#tools/simulation/recount.ts';
import { asciiJson } from '#tools/simulation/send.ts';
import { effectsOn } from './effects.ts';
import { onOneMachine } from './one-machine.ts';
import { quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';
import { createTraffic } from './traffic.ts';

const eventsPerSecond = 50;
/** One event in so many is waited for. */
const sampledPart = 10;
const maxLagMs = 5000;
const organizationIds = ['amber', 'birch', 'cedar', 'daisy', 'elder'];
const roomsOfEach = 20;

/** Sends events at a steady rate and measures when each of a sample is seen over HTTP; then all are recounted. */
export async function measureLag(seconds: number, seed: number): Promise<Report> {
  return onOneMachine(async (endpoints) => {
    const asked = organizationIds.map(async (id) => [id, await requestToken(endpoints, id)] as const);
    const tokens = new Map(await Promise.all(asked));
    const { sent, lags, calls, tookMs, busy } = await sendSteadily(endpoints, tokens, seconds, seed);
    const differences = await differencesOf(endpoints, tokens, sent);
    return {
      setup:
        `${eventsPerSecond} session events a second for ${seconds} s (seed ${seed}) into the room-events queue, from ` +
        `${organizationIds.length * roomsOfEach} rooms of ${organizationIds.length} organizations; one in ${sampledPart} is polled for, first after 0.2 s.`,
      findings: [
        seenWithin(lags),
        steadiness(sent.length, tookMs),
        {
          goal: 'every event took effect, as an independent recount says',
          figure: `${sent.length} events`,
          spread: differences.length > 0 ? differences.join('; ') : `${organizationIds.length} organizations agree`,
          isMet: differences.length === 0,
        },
        {
          goal: 'calls of the poller',
          figure: String(calls),
          spread: `${((calls * 1000) / tookMs).toFixed(0)} a second, ${(calls / lags.length).toFixed(1)} for each event`,
        },
        {
          goal: 'processors while sending, whatever else ran on them',
          figure: `${(busy * 100).toFixed(0)} % busy`,
          spread: `${cpus().length} cores`,
        },
      ],
    };
  });
}

/** Each event at its own time, whether or not those before it are through. */
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
    await sqs.send(new SendMessageCommand({ QueueUrl: endpoints.queues.roomEvents, MessageBody: asciiJson(event) }));
    if (isSampled) lags.push((await effects.seenAt(event)) - sentAt);
  };
  const busyShare = processorsFromNow();
  const startedAt = performance.now();
  for (let index = 0; index < seconds * eventsPerSecond; index++) {
    await delay(Math.max(0, startedAt + (index * 1000) / eventsPerSecond - performance.now()));
    const event = traffic.next();
    sent.push(event);
    underWay.push(send(event, index % sampledPart === 0));
    if (index % eventsPerSecond === 0) progress.show('Sending events', index / eventsPerSecond + 1, seconds);
  }
  const [tookMs, busy] = [performance.now() - startedAt, busyShare()];
  await Promise.all(underWay);
  progress.end();
  return { sent, lags, calls: effects.calls(), tookMs, busy };
}

/** Which part of their time all processors have worked since. */
function processorsFromNow(): () => number {
  const times = () => {
    const all = cpus().map((cpu) => cpu.times);
    const idle = all.reduce((sum, time) => sum + time.idle, 0);
    return { idle, total: all.flatMap((time) => Object.values(time)).reduce((sum, time) => sum + time, 0) };
  };
  const before = times();
  return () => 1 - (times().idle - before.idle) / (times().total - before.total);
}

/** What each organization's insights have that the events do not say, or the other way around. */
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

function seenWithin(lags: readonly number[]): Finding {
  const show = (part: number) => `${(quantile(lags, part) / 1000).toFixed(2)} s`;
  return {
    goal: `seen over HTTP within ${maxLagMs / 1000} s of the event, p99`,
    figure: show(0.99),
    spread: `p50 ${show(0.5)}, p90 ${show(0.9)}, max ${show(1)} of ${lags.length}`,
    isMet: quantile(lags, 0.99) <= maxLagMs,
  };
}

function steadiness(events: number, tookMs: number): Finding {
  const rate = (events * 1000) / tookMs;
  return {
    goal: `${eventsPerSecond} events a second are really sent`,
    figure: `${rate.toFixed(1)} a second`,
    spread: `${events} events in ${(tookMs / 1000).toFixed(1)} s`,
    isMet: rate >= eventsPerSecond * 0.98,
  };
}
