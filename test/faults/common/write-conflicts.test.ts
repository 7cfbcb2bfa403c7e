import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TableName } from '#shared/runtime/names.ts';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { organization } from '../../support/machine.ts';
import { cancelled } from '../support/dynamodb-faults.ts';
import { bodiesOf, scriptOf } from '../support/insights/session-script.ts';
import { answer, refusedConnection } from '../support/notices/fake-receivers.ts';
import { register, runNotices, startReplay, tell, webhookRow } from '../support/notices/notices.ts';
import { type Call, type FaultPlan, serviceError } from '../support/process.ts';
import { outputOf } from '../support/transcriptions/fake-transcribe.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world, logs } = await useWorld({ sessionIdleHours: 24 });
const { receivers } = world;

/** No session has the notices of these tests, which the invariants would find. */
const empty = () => world.empty();
beforeEach(empty);
afterEach(empty);

type Write = { readonly TableName?: string };
type Written = Write & { readonly TransactItems?: readonly Readonly<Record<string, Write>>[] };

/** Every write of a table meets another transaction: the first two tries of each kind of call are refused. Counts them. */
function conflicts(table: TableName) {
  const TableName = world.resources.tables[table];
  const left = new Map<string, number>();
  let met = 0;
  const plan: FaultPlan = ({ command, input }: Call) => {
    const { TransactItems, ...single } = (input ?? {}) as Written; // calls of Transcribe have no input here
    const writes = TransactItems?.flatMap((item) => Object.values(item)) ?? [single];
    const isWrite = TransactItems !== undefined || /^(Put|Update|Delete)Item/.test(command);
    if (!isWrite || !writes.some((write) => write.TableName === TableName)) return undefined;
    const tries = left.get(command) ?? 2;
    left.set(command, tries - 1);
    if (tries <= 0) return undefined;
    met += 1;
    const error = TransactItems
      ? cancelled(...writes.map((write) => (write.TableName === TableName ? 'TransactionConflict' : 'None')))
      : serviceError('TransactionConflictException', 400);
    return { error, when: 'before' };
  };
  return { plan, met: () => met };
}

/** Makes what must be there, and returns the step that meets conflicts, which returns true if it has succeeded. */
type Scene = (organizationId: string) => Promise<(plan: FaultPlan) => Promise<boolean>>;

const isSuccess = (outcome: Awaited<ReturnType<typeof world.api>>) => outcome !== 'killed' && outcome.status < 300;
const later = (ms: number) => {
  world.clock = new Date(world.clock.getTime() + ms);
};
const work = (queue: Parameters<typeof world.work>[0], bodies: readonly string[]) => async (plan: FaultPlan) =>
  (await world.work(queue, bodies, plan)) === 0;

/** A call of an endpoint for a new webhook. */
const ofWebhook =
  (name: Parameters<typeof world.api>[0], body?: object): Scene =>
  async (organizationId) => {
    const { webhookId } = await register(world, organizationId);
    return async (plan) => isSuccess(await world.api(name, { organizationId, webhookId, body }, plan));
  };

/** A run of a webhook with one delivery. */
const run =
  (changes: Parameters<typeof register>[2], receiver = answer(200)): Scene =>
  async (organizationId) => {
    const webhook = await register(world, organizationId, changes);
    receivers.let(webhook.url, receiver);
    await tell(world, organizationId);
    await world.relay();
    await world.deliver('deliveryPlans');
    return async (plan) => {
      await world.deliver('webhookRuns', plan);
      return receivers.calls.length === 1 && !('runId' in (await webhookRow(world, webhook)));
    };
  };

const transcription = async (organizationId: string) => {
  const recording = await world.recording(organizationId);
  return { organizationId, transcriptionId: await world.create(recording) };
};
const ready = async (organizationId: string) => {
  const made = await transcription(organizationId);
  await world.deliver('transcriptionJobs');
  const [name] = world.transcribe.running().filter((each) => each.includes(organizationId));
  await world.endJob(String(name), { output: outputOf('hello') });
  await world.deliver('transcriptionResults');
  return made;
};
const session = (organizationId: string) => scriptOf(organizationId, { roomSessionId: randomUUID() });
const recordingEvent = (organizationId: string, createdAt = '2026-03-01T09:01:00.000Z') => {
  const recordingId = randomUUID();
  const location = { bucket: world.resources.buckets.recordings, key: `${organizationId}/${recordingId}.amr` };
  const dates = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:01:00.000Z' };
  const data = {
    recordingId,
    roomName: '/standup',
    roomSessionId: randomUUID(),
    ...dates,
    location,
    filename: 'one.amr',
  };
  return JSON.stringify({ id: randomUUID(), type: 'recording.finished', organizationId, createdAt, data });
};

const scenes: Readonly<Partial<Record<TableName, Readonly<Record<string, Scene>>>>> = {
  webhooks: {
    'a creation': async (organizationId) => async (plan) =>
      isSuccess(await world.api('createWebhook', { organizationId, body: { url: 'https://receiver.example' } }, plan)),
    'a change': ofWebhook('updateWebhook', { description: 'changed' }),
    'a rotation': ofWebhook('rotateWebhookSecret', {}),
    'a deletion': ofWebhook('deleteWebhook'),
    'the start of a replay': ofWebhook('replayWebhook', { from: '2026-02-20T00:00:00.000Z' }),
    'a run': run({}),
    'a run that fails': run({}, refusedConnection),
    'the sweep': async (organizationId) => {
      await (await run({}, answer(503, 3_600))(organizationId))(() => undefined);
      await runNotices(world); // the messages of a parked webhook come too early
      later(4_000_000);
      return async (plan) => (await world.sweepNotices(plan)) === 'done' && world.queues.count('queues') === 1;
    },
    'a page of a replay': async (organizationId) => {
      await tell(world, organizationId);
      const webhook = await register(world, organizationId);
      await startReplay(world, webhook);
      return async (plan) => {
        await world.deliver('noticeReplays', plan);
        return (await webhookRow(world, webhook)).replay?.state === 'finished';
      };
    },
  },
  notices: {
    'the relay': async (organizationId) => {
      await tell(world, organizationId);
      return async (plan) => {
        await world.relay(plan);
        return (await world.stream.newRecords()).length === 0;
      };
    },
    'the sweep': async (organizationId) => {
      await tell(world, organizationId);
      world.stream.done(await world.stream.newRecords());
      later(600_000);
      return async (plan) => (await world.sweepNotices(plan)) === 'done';
    },
  },
  roomSessions: {
    'events of a session': async (organizationId) => {
      const { started, joined, ended } = session(organizationId);
      return work('roomEvents', bodiesOf([started(0), joined('ada', 5), ended(60)]));
    },
    'the end of a session that has settled': async (organizationId) => {
      const { started, ended } = session(organizationId);
      await world.work('roomEvents', bodiesOf([started(0), ended(60)]));
      later(600_000);
      return async (plan) => {
        await world.settleSessions(plan); // what it skips, the next runs tell
        await world.settleSessions(plan);
        return (await world.settleSessions(plan)) === 'done';
      };
    },
    'the end of an idle session': async (organizationId) => {
      await world.work('roomEvents', bodiesOf([session(organizationId).started(0)]));
      later(30 * 3_600_000);
      return async (plan) => (await world.closeIdleSessions(plan)) === 'done';
    },
    'talk time from speech': async (organizationId) => {
      const { started, joined, spoke } = session(organizationId);
      await world.work('roomEvents', bodiesOf([started(0), joined('ada', 1)]));
      await world.work('networkSamples', bodiesOf([spoke('ada', [5, 9])]));
      return async (plan) => {
        while ((await world.deliver('transcriptChanges', plan)).delivered > 0);
        return world.queues.count('queues') === 0;
      };
    },
  },
  recordings: {
    'a recording': async (organizationId) => work('roomEvents', [recordingEvent(organizationId)]),
    'a creation': async (organizationId) => {
      const { recordingId } = await world.recording(organizationId);
      return async (plan) =>
        isSuccess(await world.api('createTranscription', { organizationId, body: { recordingId } }, plan));
    },
  },
  transcriptions: {
    'a creation': async (organizationId) => {
      const { recordingId } = await world.recording(organizationId);
      return async (plan) =>
        isSuccess(await world.api('createTranscription', { organizationId, body: { recordingId } }, plan));
    },
    'the start of a job': async (organizationId) => {
      await transcription(organizationId);
      return async (plan) => {
        await world.deliver('transcriptionJobs', plan);
        return world.transcribe.running().some((name) => name.includes(organizationId));
      };
    },
    'the end of a job': async (organizationId) => {
      const { transcriptionId } = await transcription(organizationId);
      await world.deliver('transcriptionJobs');
      const [name] = world.transcribe.running().filter((each) => each.includes(organizationId));
      await world.endJob(String(name), { output: outputOf('hello') });
      return async (plan) => {
        await world.deliver('transcriptionResults', plan);
        return (await world.state(organizationId, transcriptionId)) === 'ready';
      };
    },
    'the reconciler': async (organizationId) => {
      await transcription(organizationId);
      later(3_600_000);
      return async (plan) => (await world.reconcile(plan)) === 'done';
    },
    'a revocation of links': async (organizationId) => {
      const call = await ready(organizationId);
      return async (plan) => isSuccess(await world.api('revokeAccessLinks', call, plan));
    },
    'a deletion': async (organizationId) => {
      const call = await ready(organizationId);
      return async (plan) => isSuccess(await world.api('deleteTranscription', call, plan));
    },
    'a bulk deletion': async (organizationId) => {
      const { transcriptionId } = await ready(organizationId);
      return work('bulkDelete', [JSON.stringify({ organizationId, transcriptionIds: [transcriptionId] })]);
    },
  },
};

describe.each(Object.entries(scenes))(
  'whoever writes rows of %s outlasts the transactions of others:',
  (table, ofTable) => {
    test.each(Object.entries(ofTable))('%s', async (_, make) => {
      const step = await make(organization());
      const { plan, met } = conflicts(table as TableName);
      const before = logs.text().length;
      expect(await step(plan)).toBe(true);
      expect(met(), 'conflicts').toBeGreaterThan(0);
      expect(logs.text().slice(before), 'nothing has failed').not.toMatch(/"level":"ERROR"/);
      receivers.repairAll();
      await runNotices(world);
    });
  },
);

test('a webhook that is to be disabled while its row is written is disabled by the next run', async () => {
  const step = await run({ failingSince: '2026-02-20T12:00:00.000Z' }, refusedConnection)(organization());
  const { plan, met } = conflicts('notices');
  await step(plan);
  expect(met()).toBe(1);
  expect(logs.text()).not.toMatch(/"level":"ERROR"/);
});
