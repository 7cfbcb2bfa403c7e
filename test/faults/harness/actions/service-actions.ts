import fc from 'fast-check';
import { outputOf } from '../../support/transcriptions/fake-transcribe.ts';
import { transcriptCanary } from '../../support/world.ts';
import { action } from './action.ts';

const minuteMs = 60_000;
const minutes = [1, 3, 6, 15, 90, 25 * 60, 49 * 60, 73 * 60] as const;

/** What Amazon Transcribe, the schedule and the time do. */
export const serviceActions = {
  'job ends': action(
    ['transcriptions'],
    16,
    fc.record({
      job: fc.nat(9),
      result: fc.constantFrom('words', 'words', 'words', 'silence', 'nonsense', 'failure'),
      event: fc.constantFrom('sent', 'sent', 'sent', 'lost', 'doubled'),
    }),
    async ({ world, tally, knowledge }, { job, result, event }, { plan }) => {
      const running = world.transcribe.running();
      const name = running[job % running.length];
      if (name === undefined) {
        await world.deliver('transcriptionJobs', plan); // the next job starts instead
        return;
      }
      const ended = {
        words: { output: outputOf(`hello ${transcriptCanary} ${name}`) },
        silence: { output: JSON.stringify({ results: { items: [] } }) },
        nonsense: { output: '[' },
        failure: { failureReason: 'The media format is not supported.' },
      }[result];
      knowledge.jobResults.set(name, result);
      const detail = await world.transcribe.end(name, ended);
      const message = { 'detail-type': 'Transcribe Job State Change', detail };
      const times = { sent: 1, lost: 0, doubled: 2 }[event];
      for (let sent = 0; sent < times; sent++) await world.queues.send('transcriptionResults', message);
      if (event === 'lost') tally.add('event lost');
      if (event === 'doubled') tally.add('message doubled');
    },
  ),

  'Transcribe is full': action(
    ['transcriptions'],
    1,
    fc.record({ isFull: fc.boolean() }),
    async ({ world }, { isFull }) => {
      world.transcribe.maxRunningJobs = isFull ? 0 : 250;
    },
  ),

  reconcile: action(['transcriptions'], 8, fc.constant({}), async ({ world }, _, { plan, reached }) => {
    try {
      await world.reconcile(plan);
    } catch (error) {
      if (reached() === 0) throw error; // with a fault, the function fails and its schedule runs it again
    }
  }),

  'time passes': action(
    ['transcriptions'],
    6,
    fc.record({ minutes: fc.constantFrom(...minutes) }),
    async (scene, { minutes }) => {
      await scene.moveClock(minutes * minuteMs);
    },
  ),
};
