import { setTimeout as delay } from 'node:timers/promises';
import { queueWorkers } from '#infra/functions/workers.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { placesOf } from '#tools/local/lambda/places.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { createRandom, type Random } from '#tools/simulation/random.ts';
import { steadily } from '../fairness/hot-organization.ts';
import { withLocalRunner } from '../local-runner.ts';
import { processorLoad, processorsFromNow } from '../processors.ts';
import { median, quantile } from '../quantiles.ts';
import type { Finding, Report } from '../report.ts';
import { type Fleet, type FleetWebhook, fleetContext, fleetOn, sessionOf } from './webhook-fleet.ts';
import { type Receivers, startReceivers, troubles } from './webhook-receivers.ts';

const organizations = 100;
const webhooksOfEach = 10;
const brokenWebhooks = 10;
const rounds = 2;
const secondsOfPhase = 15;
const sessionsPerSecond = 1;
/** Each of the ten gets so many more notices, in all phases. */
const secondsBetweenExtras = 2;
const patienceMs = 60_000;
const maxRatio = 1.5;
/** With more, notices wait for the processors of this machine, which hides what broken receivers add. */
const maxLagInOrderMs = 2_000;

/** When the ten have just broken, and when they have been broken for a while. */
const phases = ['first', 'later'] as const;
type Phase = (typeof phases)[number];
/** The lags of the receivers that are in order: of the service with ten broken ones, and of the other one at the same time. */
type Lags = Readonly<Record<Phase, { readonly broken: readonly number[]; readonly healthy: readonly number[] }>>;

type Scene = {
  readonly fleet: Fleet;
  readonly receivers: Receivers;
  readonly webhooks: readonly FleetWebhook[];
  /** Those that break in some rounds. */
  readonly fragile: readonly FleetWebhook[];
};

/** Measures how late notices reach a thousand receivers with ten broken ones among them, beside a thousand that are all in order. */
export async function measureWebhooks(seed: number): Promise<Report> {
  return withScene((one) => withScene((other) => report([one, other], createRandom('webhooks', seed), seed)));
}

async function withScene<Result>(work: (scene: Scene) => Promise<Result>): Promise<Result> {
  const receivers = await startReceivers();
  try {
    return await withLocalRunner(
      async (endpoints) => work(await register(await fleetOn(endpoints, receivers), receivers)),
      { context: fleetContext },
    );
  } finally {
    receivers.close();
  }
}

/** Each fragile webhook is one of an organization of its own. It also gets notices that no other webhook does. */
async function register(fleet: Fleet, receivers: Receivers): Promise<Scene> {
  const progress = openProgress(process.stderr);
  const webhooks: FleetWebhook[] = [];
  const fragile: FleetWebhook[] = [];
  const all = Array.from({ length: organizations * webhooksOfEach }, (_, index) => index);
  for (const some of chunk(all, 20)) {
    const created = some.map(async (index) => {
      const isToBreak = index < brokenWebhooks;
      const types = isToBreak
        ? (['room.session.started', 'transcription.finished'] as const)
        : (['room.session.started'] as const);
      const webhook = await fleet.addWebhook(`organization-${index % organizations}`, types);
      (isToBreak ? fragile : webhooks).push(webhook);
    });
    await Promise.all(created);
    progress.show('Creating webhooks', webhooks.length + fragile.length, all.length);
  }
  progress.end();
  return { fleet, receivers, webhooks, fragile };
}

async function report(scenes: readonly [Scene, Scene], random: Random, seed: number): Promise<Report> {
  await bothIn(scenes, random, 'Warming up');
  const busy = processorsFromNow();
  const lags: Lags[] = [];
  for (let round = 1; round <= rounds; round++) lags.push(await measureRound(scenes, random, round));
  const load = busy();
  const calls = scenes.reduce((sum, { receivers: { counts } }) => sum + counts.calls, 0);
  const refused = scenes.reduce((sum, { receivers: { counts } }) => sum + counts.refused, 0);
  return {
    setup: setupOf(seed),
    findings: [
      ratio('have just broken', lags, 'first'),
      ratio('are broken for longer', lags, 'later'),
      ...phases.flatMap((name) => figures(name, lags)),
      firstRound(lags),
      nothingMissing(lags),
      {
        goal: 'the reference library accepts the signature of every call',
        figure: `${calls - refused} of ${calls}`,
        spread: '',
        isMet: refused === 0,
      },
      processorLoad('meanwhile', load),
    ],
  };
}

/** The services swap their parts from round to round. */
async function measureRound([one, other]: readonly [Scene, Scene], random: Random, round: number): Promise<Lags> {
  const [withBroken, without] = round % 2 === 1 ? [one, other] : [other, one];
  const kinds = withBroken.fragile.map(({ receiver }, index) => [receiver, troubles[index % troubles.length]] as const);
  withBroken.receivers.breakOnly(new Map(kinds.flatMap(([receiver, kind]) => (kind ? [[receiver, kind]] : []))));
  const measured = { first: { broken: [], healthy: [] }, later: { broken: [], healthy: [] } } as Record<
    Phase,
    Lags[Phase]
  >;
  for (const name of phases) {
    const [broken, healthy] = await bothIn([withBroken, without], random, `Round ${round} of ${rounds}, ${name}`);
    measured[name] = { broken, healthy };
    process.stderr.write(`round ${round}, ${name}: ${show(broken)}; beside ${show(healthy)}\n`);
  }
  withBroken.receivers.breakOnly(new Map());
  await withBroken.fleet.forgetFailures(withBroken.fragile);
  return measured;
}

/** Lets the same sessions begin in both services at the same time. */
function bothIn(scenes: readonly [Scene, Scene], random: Random, title: string): Promise<[number[], number[]]> {
  const ids = Array.from({ length: organizations }, (_, index) => `organization-${index}`);
  const order = random.shuffled(ids).slice(0, sessionsPerSecond * secondsOfPhase);
  const progress = openProgress(process.stderr);
  let sent = 0;
  const onSent = () => progress.show(title, ++sent, 2 * order.length);
  const [one, other] = scenes;
  return Promise.all([phase(one, order, onSent), phase(other, order, onSent)]).finally(() => progress.end());
}

/** Lets sessions begin for some seconds. Resolves to the lags of the receivers that never break: infinite for what never comes. */
async function phase(
  { fleet, receivers, webhooks, fragile }: Scene,
  order: readonly string[],
  onSent: () => void,
): Promise<number[]> {
  const from = receivers.receipts.length;
  const extras = steadily((brokenWebhooks * secondsOfPhase) / secondsBetweenExtras, secondsOfPhase, (index) =>
    fleet.endTranscriptions([fragile[index % brokenWebhooks]?.organizationId ?? '']),
  );
  const sessions = await steadily(order.length, secondsOfPhase, async (index) => {
    onSent();
    return fleet.startSessions([order[index] ?? '']);
  });
  await extras;
  const started = new Set(sessions.flat());
  const inOrder = new Set(webhooks.map(({ receiver }) => receiver));
  const siblings = Map.groupBy(webhooks, ({ organizationId }) => organizationId);
  const expected = order.reduce((sum, organizationId) => sum + (siblings.get(organizationId)?.length ?? 0), 0);
  const lagsSoFar = () =>
    receivers.receipts
      .slice(from)
      .filter((receipt) => inOrder.has(receipt.receiver) && started.has(sessionOf(receipt)))
      .map(({ lagMs }) => lagMs);
  const givesUpAt = Date.now() + patienceMs;
  while (lagsSoFar().length < expected && Date.now() < givesUpAt) await delay(250);
  const lags = lagsSoFar();
  return [...lags, ...Array.from({ length: expected - lags.length }, () => Number.POSITIVE_INFINITY)];
}

function setupOf(seed: number): string {
  const worker = queueWorkers.find(({ name }) => name === 'deliver-notices');
  const { maxConcurrency: onAws = 0, timeout } = worker ?? {};
  const here = placesOf(onAws, timeout?.toSeconds() ?? 0);
  const deliveries = sessionsPerSecond * webhooksOfEach + brokenWebhooks / secondsBetweenExtras;
  return (
    `Two local runners work side by side. On each, ${organizations} organizations have ${webhooksOfEach} webhooks each, and ${sessionsPerSecond} session a second begins (seed ${seed}). On one runner, ` +
    `one webhook of ${brokenWebhooks} organizations breaks, in ${rounds} rounds of two times ${secondsOfPhase} s: two each hang, answer after 9 s, close the connection, answer 500, or send bytes without an end. ` +
    `They get ${deliveries} deliveries a second. The lag of the ${organizations * webhooksOfEach - brokenWebhooks} others is the time from \`createdAt\` to the first receipt. A local runner makes ${here} runs at once, and AWS ${onAws}.`
  );
}

const p99 = (lags: readonly number[]) => quantile(lags, 0.99);
const ratioOf = ({ broken, healthy }: Lags[Phase]) => p99(broken) / p99(healthy);
const pooled = (lags: readonly Lags[], name: Phase) => ({
  broken: lags.flatMap((ofRound) => ofRound[name].broken),
  healthy: lags.flatMap((ofRound) => ofRound[name].healthy),
});

function ratio(when: string, lags: readonly Lags[], name: Phase): Finding {
  const ratios = lags.map((ofRound) => ratioOf(ofRound[name]));
  return {
    goal: `p99 lag of the others while ten ${when}, relative to none: at most ${maxRatio}`,
    figure: median(ratios).toFixed(2),
    spread: `median of ${lags.length} rounds: ${ratios.map((each) => each.toFixed(2)).join(', ')}; of all rounds together ${ratioOf(pooled(lags, name)).toFixed(2)}`,
    isMet: median(ratios) <= maxRatio,
  };
}

function figures(name: Phase, lags: readonly Lags[]): Finding[] {
  const when = name === 'first' ? 'ten have just broken' : 'ten are broken for longer';
  const { broken, healthy } = pooled(lags, name);
  const figure = (goal: string, all: readonly number[]) => ({
    goal,
    figure: `${p99(all).toFixed(0)} ms`,
    spread: `${show(all)} of ${all.length}`,
  });
  return [
    figure(`p99 lag of the others while ${when}`, broken),
    {
      ...figure(
        `p99 lag at the same time where all are in order: at most ${maxLagInOrderMs / 1000} s, or the machine is too busy to tell`,
        healthy,
      ),
      isMet: p99(healthy) <= maxLagInOrderMs,
    },
  ];
}

function firstRound([lags]: readonly Lags[]): Finding {
  return {
    goal: 'first round: p99 lag of the others before any broken receiver was known, relative to none',
    figure: lags ? ratioOf(lags.first).toFixed(2) : '',
    spread: lags ? `${show(lags.first.broken)}; beside ${show(lags.first.healthy)}` : '',
  };
}

function show(lags: readonly number[]): string {
  return `p50 ${median(lags).toFixed(0)} ms, p99 ${p99(lags).toFixed(0)} ms, max ${quantile(lags, 1).toFixed(0)} ms`;
}

function nothingMissing(lags: readonly Lags[]): Finding {
  const all = lags.flatMap((ofRound) => phases.flatMap((name) => [...ofRound[name].broken, ...ofRound[name].healthy]));
  const missing = all.filter((lag) => !Number.isFinite(lag)).length;
  return {
    goal: 'every notice reaches every receiver that is in order',
    figure: `${all.length - missing} of ${all.length}`,
    spread: '',
    isMet: missing === 0,
  };
}
