import { queueWorkers } from '#infra/workers.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { type CapacityMeter, type Consumption, capacityMeter, sumOf } from '../support/capacity-meter.ts';
import { dollarsOf } from '../support/documented-consumption.ts';
import { minuteClock } from '../support/insight-consumption.ts';
import { type InsightFunctions, type InsightTables, insightFunctions } from '../support/insight-functions.ts';
import { newGuest, newSession, platformOf } from '../support/session-events.ts';
import { withLocalRunner } from './local-runner.ts';
import { median, quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';

const organizationId = 'bench-session-organization'; // as long as a client ID of Cognito
const participants = 1000;
const batchSize = 10;
/** The numbers of the participants whose join and rating are each recorded and measured alone. */
const measured: readonly number[] = [10, 100, 1000];
const worker = 'record-room-events';

type Invocation = { readonly events: number; readonly durationMs: number; readonly consumption: Consumption };
type Recorder = { readonly record: (...events: readonly PlatformEvent[]) => Promise<Invocation> };

/** Records a session of 1 000 participants with the worker's handler, and its end while all are present. */
export async function measureSession(): Promise<Report> {
  return withLocalRunner(async (endpoints) => {
    const meter = capacityMeter(clientSettings(endpoints.dynamodbUrl));
    const insights = insightFunctions(meter.documents, endpoints.tables as InsightTables);
    const { single, batches, end } = await recordSession({ record: (...events) => invoke(meter, insights, events) });
    const session = await insights.get('rooms', organizationId, {});
    const { totalUniqueParticipants, totalRatings } = session.results[0];
    const all = [...batches, ...single.flatMap(({ join, rating }) => [join, rating]), end];
    return {
      setup:
        `A session of ${participants} participants who all join and rate: ${2 * participants} events in batches of ten ` +
        "through the worker's handler, then the end of the session while all participants are present.",
      findings: [
        longest(all),
        ...growth(single, 'join'),
        ...growth(single, 'rating'),
        units(`the end of the session with ${participants} participants`, [end]),
        units('the whole session', all),
        perEvent(batches),
        {
          goal: 'every participant and rating is counted',
          figure: `${totalUniqueParticipants} and ${totalRatings}`,
          spread: '',
          isMet: totalUniqueParticipants === participants && totalRatings === participants,
        },
      ],
    };
  });
}

async function recordSession({ record }: Recorder) {
  const progress = openProgress(process.stderr);
  const platform = platformOf(organizationId, minuteClock());
  const session = newSession('/town-hall');
  const [batches, single]: [Invocation[], { number: number; join: Invocation; rating: Invocation }[]] = [[], []];
  let waiting: PlatformEvent[] = [];
  const flush = async () => {
    if (waiting.length > 0) batches.push(await record(...waiting));
    waiting = [];
  };
  batches.push(await record(platform.created(session.roomName)), await record(platform.started(session)));
  for (let number = 1; number <= participants; number++) {
    const guest = newGuest();
    const [joined, rated] = [platform.joined(session, guest), platform.rated(session, guest, 1 + (number % 5))];
    if (measured.includes(number)) {
      await flush();
      single.push({ number, join: await record(joined), rating: await record(rated) });
    } else waiting.push(joined, rated);
    if (waiting.length >= batchSize) await flush();
    progress.show('Recording the participants', number, participants);
  }
  await flush();
  progress.end();
  return { batches, single, end: await record(platform.ended(session)) };
}

async function invoke(
  meter: CapacityMeter,
  insights: InsightFunctions,
  events: readonly PlatformEvent[],
): Promise<Invocation> {
  const startedAt = performance.now();
  const consumption = await meter.measure(() => insights.record(...events));
  return { events: events.length, consumption, durationMs: performance.now() - startedAt };
}

function longest(invocations: readonly Invocation[]): Finding {
  const timeoutMs = queueWorkers.find(({ name }) => name === worker)?.timeout.toMilliseconds() ?? 0;
  const durations = invocations.map(({ durationMs }) => durationMs);
  const figure = Math.max(...durations);
  return {
    goal: `every invocation is shorter than the worker's timeout of ${timeoutMs / 1000} s`,
    figure: `${(figure / 1000).toFixed(2)} s`,
    spread: `p50 ${median(durations).toFixed(0)} ms, p99 ${quantile(durations, 0.99).toFixed(0)} ms of ${durations.length} invocations`,
    isMet: figure < timeoutMs,
  };
}

/** How many writes more a participant may cost than another: a page of the participant list has more or fewer participants. */
const fewWrites = 6;

function growth(
  single: readonly { readonly number: number; readonly join: Invocation; readonly rating: Invocation }[],
  kind: 'join' | 'rating',
): Finding[] {
  const consumptions = single.map((each) => each[kind].consumption);
  const [first] = consumptions;
  const finding = (name: keyof Consumption, goal: string, most: number) => ({
    goal,
    figure: consumptions.map((consumption) => consumption[name]).join(', '),
    spread: `participants ${measured.join(', ')}`,
    isMet: consumptions.every((consumption) => consumption[name] <= (first?.[name] ?? 0) + most),
  });
  return [
    finding('writes', `writes of a ${kind} do not grow with the session`, fewWrites),
    finding('calls', `calls of a ${kind} do not grow with the session`, fewWrites),
    finding('reads', `reads of a ${kind} grow by at most one for 25 events of the session`, (2 * participants) / 25),
  ];
}

function units(goal: string, invocations: readonly Invocation[]): Finding {
  const consumption = sumOf(invocations.map((invocation) => invocation.consumption));
  const seconds = invocations.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  return {
    goal,
    figure: `${consumption.writes} write and ${consumption.reads} read units`,
    spread: `${dollarsOf(consumption).toFixed(4)} dollars, ${consumption.calls} calls, ${seconds.toFixed(1)} s`,
  };
}

function perEvent(batches: readonly Invocation[]): Finding {
  const tens = batches.filter(({ events }) => events === batchSize).map(({ consumption }) => consumption);
  const average = (name: keyof Consumption) => (sumOf(tens)[name] / tens.length / batchSize).toFixed(1);
  return {
    goal: 'an event in a batch of ten, on average',
    figure: `${average('writes')} write and ${average('reads')} read units`,
    spread: `${average('calls')} calls, ${tens.length} batches`,
  };
}
