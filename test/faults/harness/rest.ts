import { deliveriesTo, passNotices } from '../support/notices/notices.ts';
import { noFaults } from '../support/process.ts';
import { replay } from './actions/notice-actions.ts';
import { rowsOf, storedWebhooks } from './deliveries.ts';
import type { Scene } from './scene.ts';

/** Longer than a delivery waits for its next attempt, or a receiver may ask to wait. */
const longestWaitHours = 30;
const withoutFaults = { plan: noFaults, reached: () => 0 };

/**
 * Ends all faults, repeats the deletions without an answer, completes all work, and redrives every dead letter once. Then the sessions have
 * settled, receivers are repaired, and whatever they have not got is replayed.
 */
export async function comeToRest(scene: Scene): Promise<void> {
  const { world, knowledge } = scene;
  world.transcribe.maxRunningJobs = Number.POSITIVE_INFINITY;
  world.receivers.repairAll();
  for (const [organizationId, ids] of knowledge.unanswered)
    for (const id of ids) await world.delete(organizationId, id);
  await world.settle();
  if ((await world.queues.redriveAll()) > 0) await world.settle();
  await world.settleSessions();
  await passNotices(world, { hours: longestWaitHours });
  for (const { webhook, known } of await storedWebhooks(scene)) {
    if (webhook.state === 'disabled' || known === undefined) continue;
    const hasFailed = (await deliveriesTo(world, webhook)).some(({ state }) => state === 'failed');
    const wasDisabled = webhook.noticeRevision !== undefined;
    if (!(hasFailed || wasDisabled) || knowledge.unansweredReplays.has(webhook.webhookId)) continue;
    await replay(scene, known, withoutFaults);
    scene.replayed.set(webhook.webhookId, world.clock.toISOString());
  }
  if (scene.replayed.size > 0) await passNotices(world, { hours: longestWaitHours });
  await countTransitions(scene);
}

/** Counts what has happened and what was told of it, for the report. */
async function countTransitions({ world, tally }: Scene): Promise<void> {
  const { tables } = world.resources;
  for (const { revision = 0 } of await world.states.rows()) tally.count('transitions', Number(revision));
  for (const { revision = 0 } of await rowsOf(tables.recordings)) tally.count('transitions', Number(revision));
  for (const { told } of await rowsOf(tables.roomSessions))
    tally.count('transitions', Number.parseInt(String(told ?? 0), 10));
  for (const { type } of await rowsOf(tables.refusedEvents))
    tally.count('transitions', Number(String(type).startsWith('recording.')));
  for (const { noticeRevision = 0 } of await rowsOf(tables.webhooks))
    tally.count('transitions', Number(noticeRevision));
  tally.count('notices', (await rowsOf(tables.notices)).length);
  const delivered = (await rowsOf(tables.webhookDeliveries)).filter(({ state }) => state === 'delivered');
  tally.count('deliveries made', delivered.length);
}
