import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { chunk } from '#shared/chunk.ts';
import type { Webhook } from '#shared/contracts/webhooks.ts';
import { noticeOf } from '#shared/domain/notice.ts';
import { noticePut } from '#shared/storage/notice-put.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { queueDepth } from '#tools/shared/queue-depth.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { organizationId } from '../support/records.ts';
import { withLocalRunner } from './local-runner.ts';
import { processorLoad, processorsFromNow } from './processors.ts';
import { median, quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';
import { type Fleet, type FleetWebhook, fleetContext, fleetOn, sessionOf } from './webhook-fleet.ts';
import { type Receivers, startReceivers } from './webhook-receivers.ts';

const dayMs = 24 * 3_600_000;
const month = 29 * dayMs;
const owner = 'replayed';
const others = ['amber', 'birch', 'cedar', 'daisy'];
const sessionsPerSecond = 2;
const secondsAlone = 20;
const patienceMs = 600_000;
const giveUpMs = 900_000;
const maxRatio = 1.5;
const maxOwnLagMs = 5_000;

type Sample = { readonly of: 'own' | 'sibling' | 'other'; readonly lagMs: number };
type Scene = {
  readonly fleet: Fleet;
  readonly receivers: Receivers;
  readonly replayed: FleetWebhook;
  readonly sibling: FleetWebhook;
  /** The ids of the notices of the month. */
  readonly old: ReadonlySet<string>;
  /** Waits until no message of a notice is in a queue. */
  readonly untilQuiet: () => Promise<void>;
};

/** Replays the notices of a month to one webhook, while new notices come for it and for others. */
export async function measureReplay(notices: number): Promise<Report> {
  const receivers = await startReceivers();
  try {
    return await withLocalRunner(
      async (endpoints) => {
        const old = await storeMonth(endpoints, notices);
        const fleet = await fleetOn(endpoints, receivers);
        const replayed = await fleet.addWebhook(owner, ['room.session.started']);
        const sibling = await fleet.addWebhook(owner, ['room.session.started']);
        for (const other of others) await fleet.addWebhook(other, ['room.session.started']);
        const sqs = new SQSClient(clientSettings(endpoints.sqsUrl));
        const depthOf = async (queue: string) => (await queueDepth(sqs, endpoints.queues[queue] ?? '')).total;
        const untilQuiet = async () => {
          for (const queue of ['noticeEvents', 'deliveryPlans', 'webhookRuns'])
            while ((await depthOf(queue)) > 0) await delay(500);
        };
        return report({ fleet, receivers, replayed, sibling, old, untilQuiet });
      },
      { context: fleetContext },
    );
  } finally {
    receivers.close();
  }
}

/** Stores notices as if they were relayed long ago. No webhook gets them from the stream: all are made later. Resolves to their ids. */
async function storeMonth(endpoints: Endpoints, count: number): Promise<ReadonlySet<string>> {
  const progress = openProgress(process.stderr);
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings(endpoints.dynamodbUrl)));
  const table = endpoints.tables.notices ?? '';
  const random = createRandom('replay');
  const since = Date.now() - month;
  const items = Array.from({ length: count }, (_, index) => {
    const createdAt = new Date(since + Math.floor((index * month) / count));
    const roomSessionId = random.uuid();
    const data = { revision: 1, roomSessionId, roomName: '/team/standup', startedAt: createdAt.toISOString() };
    const subject = { kind: 'session', id: roomSessionId } as const;
    const notice = noticeOf(organizationId(owner), 'room.session.started', subject, data, createdAt);
    const { dueAt, dueShard, ...item } = noticePut(table, notice).Put?.Item ?? {};
    return item;
  });
  let stored = 0;
  for (const some of chunk(items, 25)) {
    const RequestItems = { [table]: some.map((Item) => ({ PutRequest: { Item } })) };
    await documents.send(new BatchWriteCommand({ RequestItems }));
    stored += some.length;
    progress.show('Storing notices', stored, count);
  }
  progress.end();
  return new Set(items.map(({ noticeId }) => String(noticeId)));
}

async function report(scene: Scene): Promise<Report> {
  const { fleet, receivers, replayed, old } = scene;
  const notices = old.size;
  const pathOf = `/v1/webhooks/${replayed.webhookId}`;
  const isReplayed = new Set<string>();
  await freshUntil(scene, (seconds) => seconds >= 10, 'Warming up'); // until the stream has passed on those of the month
  await scene.untilQuiet();
  const alone = await freshUntil(scene, (seconds) => seconds >= secondsAlone, 'Without the replay');
  const from = receivers.receipts.length;
  const startedAt = Date.now();
  const before = { ...receivers.counts };
  await fleet.call(owner, 'POST', `${pathOf}/replay`, { from: new Date(startedAt - month - dayMs / 2).toISOString() });
  const busy = processorsFromNow();
  let seen = from;
  let endedAt = startedAt;
  const isDone = () => {
    for (; seen < receivers.receipts.length; seen++) {
      const receipt = receivers.receipts[seen];
      if (receipt?.receiver !== replayed.receiver || !old.has(receipt.notice.id)) continue;
      isReplayed.add(receipt.notice.id);
      endedAt = Date.now();
    }
    return isReplayed.size >= notices || Date.now() - startedAt > giveUpMs;
  };
  const during = await freshUntil(scene, isDone, 'During the replay', () => `${isReplayed.size} of ${notices}`);
  const load = busy();
  const { replay } = await fleet.call<Webhook>(owner, 'GET', pathOf);
  const seconds = (endedAt - startedAt) / 1000;
  const repeated = receivers.counts.calls - before.calls - (receivers.receipts.length - from);
  return {
    setup:
      `${notices} notices of a month are stored, and replayed to one webhook. Before and meanwhile ${sessionsPerSecond} sessions a second begin: half in the ` +
      `organization of the replay, which has another webhook too, and half in ${others.length} others with a webhook each. Receivers answer after 50 ms.`,
    findings: [
      ownLag(lagsOf(alone, 'own'), lagsOf(during, 'own')),
      ratioFinding('of other webhooks of the organization', lagsOf(alone, 'sibling'), lagsOf(during, 'sibling')),
      ratioFinding('of other organizations', lagsOf(alone, 'other'), lagsOf(during, 'other')),
      {
        goal: 'time of the replay, for 1 000 notices',
        figure: `${((seconds / notices) * 1000).toFixed(1)} s`,
        spread: `${seconds.toFixed(0)} s for all`,
      },
      {
        goal: 'every notice is received',
        figure: `${isReplayed.size} of ${notices}`,
        spread: `${replay?.planned} planned, the replay has ${replay?.state}; ${repeated} calls were repeated`,
        isMet: isReplayed.size >= notices && replay?.state === 'finished',
      },
      processorLoad('meanwhile', load),
    ],
  };
}

/** Lets sessions begin until `isDone`, and waits for all notices. Resolves to the lags of their first receipts. */
async function freshUntil(
  { fleet, receivers, replayed, sibling }: Scene,
  isDone: (seconds: number) => boolean,
  title: string,
  status: () => string = () => '',
): Promise<Sample[]> {
  const progress = openProgress(process.stderr);
  const from = receivers.receipts.length;
  const startedAt = performance.now();
  const sent: Promise<readonly string[]>[] = [];
  let expected = 0;
  for (let index = 0; !isDone((performance.now() - startedAt) / 1000); index++) {
    const isOwn = index % 2 === 0;
    sent.push(fleet.startSessions([isOwn ? owner : (others[((index - 1) / 2) % others.length] ?? '')]));
    expected += isOwn ? 2 : 1;
    progress.show(`${title} ${status()}`, index, index + 1);
    await delay(Math.max(0, startedAt + ((index + 1) * 1000) / sessionsPerSecond - performance.now()));
  }
  const started = new Set((await Promise.all(sent)).flat());
  const received = () => receivers.receipts.slice(from).filter((receipt) => started.has(sessionOf(receipt)));
  for (const end = Date.now() + patienceMs; received().length < expected && Date.now() < end; ) await delay(250);
  progress.end();
  const samples = received().map(({ receiver, lagMs }): Sample => {
    if (receiver === replayed.receiver) return { of: 'own', lagMs };
    return { of: receiver === sibling.receiver ? 'sibling' : 'other', lagMs };
  });
  if (samples.length < expected) throw new Error(`${expected - samples.length} new notices were not received.`);
  return samples;
}

function lagsOf(samples: readonly Sample[], of: Sample['of']): number[] {
  return samples.filter((sample) => sample.of === of).map(({ lagMs }) => lagMs);
}

const p99 = (lags: readonly number[]) => quantile(lags, 0.99);
const show = (lags: readonly number[]) =>
  `p50 ${median(lags).toFixed(0)}, p99 ${p99(lags).toFixed(0)} ms of ${lags.length}`;

function ownLag(alone: readonly number[], during: readonly number[]): Finding {
  return {
    goal: `p99 lag of new notices of the webhook itself during the replay: at most ${maxOwnLagMs / 1000} s`,
    figure: `${(p99(during) / 1000).toFixed(2)} s`,
    spread: `${show(during)}; before ${show(alone)}`,
    isMet: p99(during) <= maxOwnLagMs,
  };
}

function ratioFinding(whose: string, alone: readonly number[], during: readonly number[]): Finding {
  const ratio = p99(during) / p99(alone);
  return {
    goal: `p99 lag ${whose} during the replay, relative to before: at most ${maxRatio}`,
    figure: ratio.toFixed(2),
    spread: `${show(during)}; before ${show(alone)}`,
    isMet: ratio <= maxRatio,
  };
}
