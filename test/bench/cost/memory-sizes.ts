import { usualMemoryMb, wholeProcessorMb } from '#infra/functions/function-memory.ts';
import { prices } from '../../support/docs/prices.ts';
import { gbSecondsOf, warmMsOf } from '../uses.ts';
import type { Measures } from './cost-measures.ts';

const sizes = [256, usualMemoryMb, 1024, wholeProcessorMb];
const million = 1_000_000;

/** How long warm invocations would last with several sizes of memory, and what a million of them would cost, as a table in Markdown. */
export function memoryTable({ pages, workers }: Pick<Measures, 'pages' | 'workers'>): string {
  const measured = {
    get: pages.get,
    'a page of ten transcriptions': pages.transcriptions,
    'a page of ten rooms': pages.rooms,
    'an event of a session alone': workers.event,
    'a message with samples alone': workers.sample,
    'ten messages with samples': workers.tenSamples,
  };
  const rows = Object.entries(measured).map(([what, taken]) => {
    const cells = sizes.map((memoryMb) => {
      const dollars = million * gbSecondsOf(taken, memoryMb) * prices.lambdaGbSeconds.dollars;
      return `${warmMsOf(taken, memoryMb).toFixed(0)} ms, $${dollars.toFixed(3)}`;
    });
    return `| ${what} | ${cells.join(' | ')} |`;
  });
  return [
    'A warm invocation, and the duration of a million, if the function had another memory ([0023](decisions/0023-bundles-and-memory.md)):\n',
    `| Invocation | ${sizes.map((memoryMb) => `${memoryMb} MB`).join(' | ')} |`,
    `| --- |${' --- |'.repeat(sizes.length)}`,
    ...rows,
  ].join('\n');
}
