import type { Message } from '@aws-sdk/client-sqs';
import fc from 'fast-check';
import { type QueueName, queueNames } from '#shared/runtime/names.ts';
import { createRandom } from '#tools/simulation/random.ts';
import type { Scene } from '../scene.ts';
import { action, areas } from './action.ts';

/** One of the queues that are not empty. */
const anyQueue = fc.nat(19);

/** What the queues do. */
export const deliveryActions = {
  deliver: action(
    areas,
    24,
    fc.record({
      queue: anyQueue,
      limit: fc.constantFrom(10, 10, 3, 1),
      order: fc.option(fc.nat(1_000)),
      lapses: fc.constantFrom(false, false, false, true),
    }),
    async (scene, { queue: place, limit, order, lapses }, { plan }) => {
      const queue = queueAt(scene, 'queues', place);
      if (queue === undefined) return;
      const choose = (received: readonly Message[]) => {
        const messages = order === null ? received : createRandom(order).shuffled(received);
        const chosen = messages.slice(0, limit);
        count(scene, received, chosen, lapses);
        return chosen;
      };
      await scene.world.deliver(queue, plan, { choose, lapses });
    },
  ),

  'become dead letters': action(areas, 2, fc.record({ queue: anyQueue }), async (scene, { queue: place }) => {
    const { queues, deadLetterQueues } = scene.world.resources;
    const queue = queueAt(scene, 'queues', place);
    if (queue !== undefined) await scene.world.queues.move(queues[queue], deadLetterQueues[queue]);
  }),

  redrive: action(areas, 3, fc.record({ queue: anyQueue }), async (scene, { queue: place }) => {
    const { queues, deadLetterQueues } = scene.world.resources;
    const queue = queueAt(scene, 'deadLetterQueues', place);
    if (queue === undefined) return;
    const redriven = await scene.world.queues.move(deadLetterQueues[queue], queues[queue]);
    scene.tally.add('message redriven', redriven);
  }),
};

function queueAt({ world }: Scene, kind: 'queues' | 'deadLetterQueues', place: number): QueueName | undefined {
  const { countMessages, [kind]: urls } = world.resources;
  const filled = queueNames.filter((name) => countMessages(urls[name]) > 0);
  return filled[place % filled.length];
}

function count({ tally }: Scene, received: readonly Message[], chosen: readonly Message[], lapses: boolean): void {
  tally.add('message delayed', received.length - chosen.length);
  tally.add('message doubled', lapses ? chosen.length : 0);
  tally.add('batch shuffled', Number(chosen.some((message, place) => message !== received[place])));
}
