import fc from 'fast-check';
import { createRandom } from '#tools/simulation/random.ts';
import { answer, refusedConnection } from '../../support/notices/fake-receivers.ts';
import { KnownWebhook, noticeIds } from '../known-webhooks.ts';
import type { Scene } from '../scene.ts';
import { action, anyOwner, areas, type StepFaults } from './action.ts';
import { keyOf, send } from './requests.ts';

const webhook = fc.nat(5);
const receiver = fc.nat(2);
const idempotencyKey = fc.constantFrom(null, 'key-1', 'key-2');
const types = fc.constantFrom(
  ...([null, null, null, ['room.session.started', 'room.session.ended'], ['transcription.started']] as const),
  ...([['recording.received', 'transcription.finished', 'transcription.deleted', 'room.session.ended']] as const),
);
const slowMs = 8_000;

/** How a receiver answers. */
const moods = {
  well: () => answer(200),
  down: () => refusedConnection,
  wrong: () => answer(500),
  redirecting: () => answer(302),
  busy: () => answer(503, 600),
  'now and then': (calls: number) => (calls % 3 === 0 ? answer(200) : answer(500)),
} as const;

/** What owners of webhooks, their receivers, the stream of notices and its schedules do. */
export const noticeActions = {
  'create webhook': action(
    ['notices'],
    12,
    fc.record({ owner: anyOwner, receiver, types, idempotencyKey }),
    async (scene, { owner, receiver, types, ...data }, faults) => {
      const organizationId = scene.organization(owner);
      const url = urlOf(organizationId, receiver);
      const body = { url, ...(types && { types }) };
      const call = { name: 'createWebhook', organizationId, body, expected: [201, 403], ...keyOf(data) } as const;
      const created = await send(scene, call, faults);
      const webhookId = created?.status === 201 ? String(created.location?.split('/').at(-1)) : undefined;
      const { webhooks } = scene.knowledge;
      if (webhookId === undefined || webhooks.some((known) => known.webhookId === webhookId)) return;
      const before = await noticeIds(scene.world, organizationId);
      webhooks.push(new KnownWebhook(organizationId, webhookId, { url, types, state: 'enabled' }, before));
    },
  ),

  'change webhook': action(
    ['notices'],
    6,
    fc.record({
      webhook,
      change: fc.oneof(
        fc.record({ receiver }),
        fc.record({ types }),
        fc.record({ state: fc.constantFrom('enabled' as const, 'enabled' as const, 'disabled' as const) }),
      ),
    }),
    async (scene, { webhook, change }, faults) => {
      const known = webhookAt(scene, webhook);
      if (known === undefined) return;
      const body = 'receiver' in change ? { url: urlOf(known.organizationId, change.receiver) } : change;
      const happened = known.changing(body);
      const call = { name: 'updateWebhook', ...idOf(known), body, expected: [200, 404] } as const;
      const changed = await send(scene, call, faults);
      if (changed?.status === 200) happened(await noticeIds(scene.world, known.organizationId));
    },
  ),

  'delete webhook': action(['notices'], 1, fc.record({ webhook }), async (scene, { webhook }, faults) => {
    const known = webhookAt(scene, webhook);
    if (known === undefined) return;
    await send(scene, { name: 'deleteWebhook', ...idOf(known), expected: [204] }, faults);
  }),

  'rotate secret': action(
    ['notices'],
    2,
    fc.record({ webhook, idempotencyKey }),
    async (scene, { webhook, ...data }, faults) => {
      const known = webhookAt(scene, webhook);
      if (known === undefined) return;
      const call = { name: 'rotateWebhookSecret', ...idOf(known), body: {}, expected: [200, 404] } as const;
      await send(scene, { ...call, ...keyOf(data) }, faults);
    },
  ),

  'replay notices': action(['notices'], 4, fc.record({ webhook }), async (scene, { webhook }, faults) => {
    const known = webhookAt(scene, webhook);
    if (known !== undefined) await replay(scene, known, faults);
  }),

  'receiver changes': action(
    ['notices'],
    6,
    fc.record({
      owner: anyOwner,
      receiver,
      mood: fc.constantFrom(...(Object.keys(moods) as (keyof typeof moods)[])),
      isSlow: fc.constantFrom(false, false, true),
    }),
    async (scene, { owner, receiver, mood, isSlow }) => {
      const { world } = scene;
      world.receivers.let(urlOf(scene.organization(owner), receiver), (_call, calls) => {
        if (isSlow) world.clock = new Date(world.clock.getTime() + slowMs);
        return moods[mood](calls);
      });
    },
  ),

  relay: action(
    areas,
    10,
    fc.record({
      order: fc.option(fc.nat(1_000)),
      isDoubled: fc.constantFrom(false, false, true),
      lost: fc.constantFrom(0, 0, 0, 0, 1, 3),
    }),
    async ({ world, tally }, { order, isDoubled, lost }, { plan }) => {
      await world.relay(plan, (records) => {
        const delivered = records.slice(lost);
        const sent = isDoubled ? [...delivered, ...delivered] : delivered;
        tally.add('record lost', records.length - delivered.length);
        tally.add('record doubled', sent.length - delivered.length);
        if (order === null) return sent;
        tally.add('records shuffled', Number(sent.length > 1));
        return createRandom(order).shuffled(sent);
      });
    },
  ),

  'sweep notices': action(['notices'], 6, fc.constant({}), async ({ world }, _, faults) =>
    orFail(world.sweepNotices(faults.plan), faults),
  ),

  'settle sessions': action(['insights', 'notices'], 4, fc.constant({}), async ({ world }, _, faults) =>
    orFail(world.settleSessions(faults.plan), faults),
  ),

  'a minute passes': action(['insights', 'notices'], 6, fc.constant({}), (scene) => scene.moveClock(70_000)),
};

/** Replays all notices of the last 29 days. */
export async function replay(scene: Scene, known: KnownWebhook, faults: StepFaults): Promise<void> {
  const from = new Date(scene.world.clock.getTime() - 29 * 24 * 3_600_000).toISOString();
  const call = { name: 'replayWebhook', ...idOf(known), body: { from }, expected: [202, 403, 404, 409] } as const;
  const answered = await send(scene, call, faults);
  if (answered === undefined || answered.status >= 500) scene.knowledge.unansweredReplays.add(known.webhookId);
}

/** Receivers of different organizations have addresses of their own. */
function urlOf(organizationId: string, receiver: number): string {
  return `https://receiver-${receiver}.example/${organizationId}`;
}

function idOf({ organizationId, webhookId }: KnownWebhook) {
  return { organizationId, webhookId };
}

/** A webhook of an organization whose clients have not stopped. */
function webhookAt({ knowledge, stopped }: Scene, index: number): KnownWebhook | undefined {
  const own = knowledge.webhooks.filter(({ organizationId }) => !stopped.has(organizationId));
  return own[index % own.length];
}

/** With a fault, the function fails and its schedule runs it again. */
async function orFail(run: Promise<unknown>, { reached }: StepFaults): Promise<void> {
  try {
    await run;
  } catch (error) {
    if (reached() === 0) throw error;
  }
}
