import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { insightEndpoints } from '#shared/contracts/insight-endpoints.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { queueDepth } from '#tools/shared/queue-depth.ts';
import { requestToken } from '#tools/shared/token.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { joinsOfOneSession, newSession, platformOf } from '../support/session-events.ts';
import { withLocalRunner } from './local-runner.ts';
import { median, quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';
import { sendInBatches } from './send-batches.ts';

const quiet = ['amber', 'birch', 'cedar', 'daisy', 'elder'];
const noisy = 'noisy';
const samples = 40;
const pauseMs = 30;
const limitMs = 60_000;
/** A quiet organization's p99 may be this many times its own p99 without the flood, or this long. */
const maxFactor = 3;
const enoughMs = 250;

const context = { rateLimitPointsPerMinute: '1000000' };

const eventsOfFlood = 15_000;
const idsOfBulkDelete = 10_000;
const bulkDeletes = 4;

type Event = { readonly organizationId: string };
type Page = { readonly results?: readonly unknown[] };

type Probe = () => Promise<void>;

/** Room events wait for a full batch, so many probes wait at once. Bulk deletes are quick. */
const paces = { roomEvents: { atOnce: 5, pollMs: 100 }, bulkDelete: { atOnce: 1, pollMs: 15 } };

/** How one kind of work is measured: what a quiet organization waits for, and what another one floods the queue with. */
type Contest = {
  readonly name: string;
  readonly queue: keyof typeof paces;
  /** Prepares a sample. The function that it returns does one thing, and resolves when its effect is visible. */
  readonly prepare: (organizationId: string) => Promise<Probe>;
  readonly flood: () => Promise<void>;
};

/** Measures how long quiet organizations wait for their work, alone and beside a flood of another organization. */
export async function measureFairness(): Promise<Report> {
  const findings: Finding[] = [];
  for (const contestOf of [contestOfEvents, contestOfDeletes]) {
    findings.push(
      ...(await withLocalRunner(
        async (endpoints) => {
          const service = await connect(endpoints);
          return measure(service, contestOf(service));
        },
        { context },
      )),
    );
  }
  return {
    setup:
      `${quiet.length} quiet organizations each send an event, again and again, or take turns and delete one transcription in bulk. They poll ` +
      `every ${paces.roomEvents.pollMs} ms, or every ${paces.bulkDelete.pollMs} ms, until the API shows the effect. ${samples} samples alone, then ${samples} ` +
      `while another organization has a backlog: ${eventsOfFlood} joins of one session, or ${bulkDeletes} bulk deletes of ${idsOfBulkDelete} ids. ` +
      'The worker of room events waits up to a second for a full batch, as in AWS.',
    findings,
  };
}

async function measure({ sqs, queues }: Service, { name, queue, prepare, flood }: Contest): Promise<Finding[]> {
  const progress = openProgress(process.stderr);
  const lagsOf = async (what: string, count = samples) => {
    const lags: number[] = [];
    const probes: Probe[] = [];
    const owners = Array.from({ length: count }, (_, index) => quiet[index % quiet.length] ?? '');
    await inParallel(owners, quiet.length, async (owner) => void probes.push(await prepare(owner)));
    if (what === 'beside the flood') await flood();
    await inParallel(probes, paces[queue].atOnce, async (probe) => {
      await delay(pauseMs);
      const startedAt = performance.now();
      await probe();
      lags.push(performance.now() - startedAt);
      progress.show(`${name}, ${what}`, lags.length, count);
    });
    return lags;
  };
  await lagsOf('warming up', samples / 4);
  const alone = await lagsOf('alone');
  const beside = await lagsOf('beside the flood');
  const { total: backlog } = await queueDepth(sqs, queues[queue] ?? '');
  progress.end();
  const most = Math.max(maxFactor * quantile(alone, 0.99), enoughMs);
  const show = (lags: readonly number[]) => `p50 ${median(lags).toFixed(0)} ms, max ${quantile(lags, 1).toFixed(0)} ms`;
  return [
    {
      goal: `${name}: p99 lag of a quiet organization beside a flood, at most ${most.toFixed(0)} ms`,
      figure: `${quantile(beside, 0.99).toFixed(0)} ms`,
      spread: show(beside),
      isMet: quantile(beside, 0.99) <= most,
    },
    { goal: `${name}: p99 lag alone`, figure: `${quantile(alone, 0.99).toFixed(0)} ms`, spread: show(alone) },
    {
      goal: `${name}: the flood lasts longer than the measurement`,
      figure: `${backlog} messages left`,
      spread: '',
      isMet: backlog > 0,
    },
  ];
}

type Service = Awaited<ReturnType<typeof connect>>;

async function connect(endpoints: Endpoints) {
  const { apiUrl, sqsUrl, queues } = endpoints;
  const sqs = new SQSClient(clientSettings(sqsUrl));
  const requests = [...quiet, noisy].map(async (id) => [id, await requestToken(endpoints, id)] as const);
  const tokens = new Map(await Promise.all(requests));
  const call = (organizationId: string, method: string, path: string, body?: object) =>
    fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.get(organizationId)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    sqs,
    queues,
    send: (...events: readonly Event[]) => sendInBatches(sqs, queues.roomEvents, events),
    bulkDelete: async (organizationId: string, transcriptionIds: readonly string[]) => {
      const { path } = transcriptionEndpoints.bulkDeleteTranscriptions;
      const { status } = await call(organizationId, 'POST', path, { transcriptionIds });
      if (status !== 204) throw new Error(`The bulk delete got a ${status}.`);
    },
    /** Polls until the answer satisfies the condition. */
    until: async (
      pollMs: number,
      organizationId: string,
      path: string,
      isSeen: (status: number, body: Page) => boolean,
    ) => {
      const givesUpAt = performance.now() + limitMs;
      for (;;) {
        const response = await call(organizationId, 'GET', path);
        if (isSeen(response.status, (await response.json()) as Page)) return;
        if (performance.now() > givesUpAt) throw new Error(`${path} does not show the effect.`);
        await delay(pollMs);
      }
    },
  };
}

function contestOfEvents({ send, until }: Service): Contest {
  return {
    name: 'room events',
    queue: 'roomEvents',
    prepare: async (organizationId) => {
      const session = newSession(`/room-${randomUUID().slice(0, 8)}`);
      const path = `${insightEndpoints.listRoomSessionInsights.path}?${new URLSearchParams(session)}`;
      return async () => {
        await send(platformOf(organizationId, Date.now).started(session));
        await until(paces.roomEvents.pollMs, organizationId, path, (_status, { results = [] }) => results.length > 0);
      };
    },
    flood: async () => {
      await send(...joinsOfOneSession(noisy, eventsOfFlood));
    },
  };
}

function contestOfDeletes({ send, until, bulkDelete }: Service): Contest {
  return {
    name: 'bulk deletes',
    queue: 'bulkDelete',
    prepare: async (organizationId) => {
      const transcriptionId = randomUUID();
      const path = `/v1/transcriptions/${transcriptionId}`;
      await send(liveTranscription(organizationId, transcriptionId));
      await until(paces.roomEvents.pollMs, organizationId, path, (status) => status === 200); // by an event
      return async () => {
        await bulkDelete(organizationId, [transcriptionId]);
        await until(paces.bulkDelete.pollMs, organizationId, path, (status) => status === 404);
      };
    },
    flood: async () => {
      for (let request = 0; request < bulkDeletes; request++) {
        await bulkDelete(
          noisy,
          Array.from({ length: idsOfBulkDelete }, () => randomUUID()),
        );
      }
    },
  };
}

function liveTranscription(organizationId: string, transcriptionId: string) {
  const [startDate, endDate] = ['2026-03-01T09:00:00.000Z', '2026-03-01T09:10:00.000Z'];
  return {
    id: randomUUID(),
    type: 'transcription.finished',
    organizationId,
    createdAt: endDate,
    data: {
      ...newSession('/daily'),
      transcriptionId,
      startDate,
      endDate,
      durationInSeconds: 600,
      storageType: 'SELF_HOSTED',
    },
  };
}
