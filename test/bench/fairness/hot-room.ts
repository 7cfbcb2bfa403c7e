import { setTimeout as delay } from 'node:timers/promises';
import { queueWorkers } from '#infra/functions/workers.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { newGuest, newSession, platformOf } from '../../support/insights/session-events.ts';
import { type Consumed, type DistantDynamoDb, withDistantDynamoDb } from '../distant-dynamodb.ts';
import { withLocalRunner } from '../local-runner.ts';
import { processorLoad, processorsFromNow } from '../processors.ts';
import { quantile } from '../quantiles.ts';
import type { Finding, Report } from '../report.ts';
import { type Exactness, type HotOrganization, hotOrganization, organizationId, steadily } from './hot-organization.ts';
import { createTraffic } from './traffic.ts';

const delayMs = 10;
const joinsPerBatch = 10;
/** In this time all people join. */
const joinSeconds = 60;
const maxSeconds = 60;
const maxLagMs = 5000;
const otherEventsPerSecond = 4;
const otherRooms = 5;
const steadyEventsPerSecond = 50;
/** The benchmark measures the lag of one event in this many of the steady session. */
const sampleInterval = 10;
const maxUnits = { hot: 2, steady: 4 };
const roomName = '/hot-room';
const context = { rateLimitPointsPerMinute: '1000000' };

type Scene = { readonly organization: HotOrganization; readonly dynamodb: DistantDynamoDb };

/** Lets thousands join one session within a minute, and ends it with all of them there. Then measures a session at a steady rate. */
export async function measureHotRoom(people: number, seconds: number, seed: number): Promise<Report> {
  const atOnce = queueWorkers.find(({ queue }) => queue === 'roomEvents')?.maxConcurrency ?? 0;
  return {
    setup:
      `Every call to DynamoDB takes ${delayMs} ms longer, and up to ${atOnce} invocations of the worker run at once. ` +
      `${people} people join one session within ${joinSeconds} s, in batches of ${joinsPerBatch} messages. Then the session ends with all of them ` +
      `there. All the while, ${otherRooms} other rooms of the organization get ${otherEventsPerSecond} events a second (seed ${seed}). On another ` +
      `runner, a session then gets ${steadyEventsPerSecond} events a second for ${seconds} s: joins, ratings and leaves.`,
    findings: [
      ...(await onDistantRunner((scene) => crowd(scene, people, seed))),
      ...(await onDistantRunner((scene) => steadySession(scene, seconds))),
    ],
  };
}

function onDistantRunner<Result>(work: (scene: Scene) => Promise<Result>): Promise<Result> {
  return withDistantDynamoDb(delayMs, (dynamodb) =>
    withLocalRunner(async (endpoints) => work({ organization: await hotOrganization(endpoints), dynamodb }), {
      dynamodbUrl: dynamodb.url,
      context,
    }),
  );
}

async function crowd({ organization, dynamodb }: Scene, people: number, seed: number) {
  const progress = openProgress(process.stderr);
  const platform = platformOf(organizationId, Date.now);
  const session = newSession(roomName);
  const consumed = dynamodb.count(session.roomSessionId);
  const others = startOtherRooms(organization, seed);
  await organization.send(platform.started(session));
  const busyShare = processorsFromNow();
  const batches = Math.ceil(people / joinsPerBatch);
  await steadily(batches, joinSeconds, async (batch) => {
    const joins = Math.min(joinsPerBatch, people - batch * joinsPerBatch);
    await organization.send(...Array.from({ length: joins }, () => platform.joined(session, newGuest())));
    progress.show('Sending joins', Math.min(people, (batch + 1) * joinsPerBatch), people);
  });
  progress.show('Waiting for exact totals', 0, 2);
  const joined = await organization.untilExact(roomName);
  const whileJoining = { ...consumed };
  progress.show('Waiting for exact totals', 1, 2);
  await organization.send(platform.ended(session));
  const ended = await organization.untilExact(roomName);
  const lags = await others.stop();
  const busy = busyShare();
  const difference = ended.isExact ? (await organization.untilAllAgree()).difference : 'the totals are not exact';
  progress.end();
  return [
    within(`totals of ${people} joins are exact after the last join`, joined),
    within('totals are exact after the end of the session', ended),
    {
      goal: 'an independent recount confirms all rooms and participants',
      figure: difference ?? 'all agree',
      spread: '',
      isMet: difference === undefined,
    },
    perEvent('a join of the hot room', whileJoining, people, maxUnits.hot),
    {
      goal: 'write units of the end of the session, for each participant',
      figure: ((consumed.writes - whileJoining.writes) / people).toFixed(2),
      spread: `${consumed.rejectedTransactions - whileJoining.rejectedTransactions} rejected transactions`,
    },
    seenWithin('an event of the other rooms', lags),
    await noDeadLetters(organization),
    processorLoad('until then', busy),
  ];
}

/** Sends events of the other rooms until `stop`, which resolves to the lag of each. */
function startOtherRooms(organization: HotOrganization, seed: number) {
  const traffic = createTraffic(createRandom('hot-room', seed), [organizationId], otherRooms);
  const lags: Promise<number>[] = [];
  let isRunning = true;
  const running = (async () => {
    for (; isRunning; await delay(1000 / otherEventsPerSecond)) lags.push(organization.lagOf(traffic.next()));
  })();
  return {
    stop: async () => {
      isRunning = false;
      await running;
      return Promise.all(lags);
    },
  };
}

async function steadySession({ organization, dynamodb }: Scene, seconds: number): Promise<Finding[]> {
  const progress = openProgress(process.stderr);
  const session = newSession(roomName);
  const consumed = dynamodb.count(session.roomSessionId);
  const count = steadyEventsPerSecond * seconds;
  const next = comingAndGoing(session);
  const lags = await steadily(count, seconds, async (index) => {
    const event = next();
    progress.show('Sending events of one session', index + 1, count);
    if (index % sampleInterval === 0) return [await organization.lagOf(event)];
    await organization.send(event);
    return [];
  });
  const { isExact } = await organization.untilExact(roomName);
  progress.end();
  return [
    perEvent(`an event at ${steadyEventsPerSecond} a second in one session`, consumed, count, maxUnits.steady),
    seenWithin(`an event at ${steadyEventsPerSecond} a second in one session`, lags.flat()),
    { goal: 'its totals are exact', figure: isExact ? 'yes' : 'no', spread: `${count} events`, isMet: isExact },
    await noDeadLetters(organization),
  ];
}

/** The next event of a session in which people join, rate after the next one has joined, and leave after the one after that. */
function comingAndGoing(session: ReturnType<typeof newSession>): () => PlatformEvent {
  const platform = platformOf(organizationId, Date.now);
  const guests = [newGuest(), newGuest()];
  const first = guests.map((guest) => () => platform.joined(session, guest));
  let script: (() => PlatformEvent)[] = first;
  return () => {
    if (script.length === 0) {
      const guest = newGuest();
      const [leaver = guest, rater = guest] = guests;
      guests.splice(0, 1);
      guests.push(guest);
      script = [
        () => platform.joined(session, guest),
        () => platform.rated(session, rater, 4),
        () => platform.left(session, leaver),
      ];
    }
    const event = script.shift();
    if (!event) throw new Error('The script of the session is empty.');
    return event();
  };
}

function within(what: string, { seconds, isExact }: Exactness): Finding {
  return {
    goal: `${what}: at most ${maxSeconds} s`,
    figure: isExact ? `${seconds.toFixed(1)} s` : `not within ${seconds.toFixed(0)} s`,
    spread: '',
    isMet: isExact && seconds <= maxSeconds,
  };
}

function perEvent(what: string, consumed: Consumed, events: number, most: number): Finding {
  const { writes: units, rejectedTransactions } = consumed;
  return {
    goal: `write units of ${what}: under ${most}`,
    figure: (units / events).toFixed(2),
    spread: `${Math.round(units)} units, and ${rejectedTransactions} rejected transactions, whose units are not reported`,
    isMet: units / events < most,
  };
}

function seenWithin(what: string, lags: readonly number[]): Finding {
  const show = (part: number) => {
    const lag = quantile(lags, part) / 1000;
    return Number.isFinite(lag) ? `${lag.toFixed(2)} s` : 'over 60 s';
  };
  return {
    goal: `p99 of the time until ${what} is visible over HTTP: at most ${maxLagMs / 1000} s`,
    figure: show(0.99),
    spread: `p50 ${show(0.5)}, p90 ${show(0.9)}, max ${show(1)} of ${lags.length}`,
    isMet: quantile(lags, 0.99) <= maxLagMs,
  };
}

async function noDeadLetters(organization: HotOrganization): Promise<Finding> {
  const count = await organization.deadLetters();
  return { goal: 'no dead letters', figure: String(count), spread: '', isMet: count === 0 };
}
