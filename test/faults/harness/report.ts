import type { Failure, Progress } from './search.ts';

/** The faults that were reached, as a table of kinds, and what has happened meanwhile. */
export function tableOfFaults({ tally, histories }: Progress): string {
  const kinds = [...tally.byKind].toSorted(([, one], [, other]) => other - one);
  const row = (name: string, number: number) => `  ${name.padEnd(22)} ${String(number).padStart(7)}`;
  const rows = kinds.map(([kind, number]) => row(kind, number));
  const counts = [...tally.counts].map(([name, number]) => row(name, number));
  return [...rows, row(`in ${histories} histories`, tally.total), ...counts].join('\n');
}

/** What a failure is: the invariant, the smallest history, and how to play it again. */
export function describeFailure({ seed, problem, history, originalSteps }: Failure, replayFile: string): string {
  const steps = history.map(
    (step, index) => `  ${index + 1}. ${step.action} ${JSON.stringify(step.data)}${faultsOf(step)}`,
  );
  return [
    `Broken: ${problem.invariant}.`,
    problem.reason,
    `The smallest history that breaks it (${history.length} of ${originalSteps} steps):`,
    ...steps,
    `The history of seed ${seed} again: npm run faults -- --count 1 --seed ${seed}`,
    `The smallest one again: npm run faults -- --replay ${replayFile}`,
  ].join('\n');
}

function faultsOf({ faults }: Failure['history'][number]): string {
  const described = faults.map(
    ({ kind, call, times }) => `${kind} from call ${call}${times > 1 ? `, ${times} times` : ''}`,
  );
  return described.length > 0 ? `\n     with ${described.join('; ')}` : '';
}
