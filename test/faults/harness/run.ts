import { startVitest } from 'vitest/node';
import { readCommandLine, wholeNumber } from '#tools/shared/command-line.ts';
import { runCommand } from '#tools/shared/run-command.ts';
import { FaultsReporter } from './reporter.ts';
import { defaultCount, replayFolder, settingNames } from './settings.ts';

// `npm run faults`: plays random histories with faults, or one that has failed before.

const file = 'test/faults/random-faults.test.ts';
const maxCount = 10_000_000;
const maxSeed = 2_147_483_647;

const usage = `npm run faults [-- flags]

Plays random histories of requests, events and faults in tables, queues and buckets of their own, until so many faults were
reached. After each history it checks every invariant. Exits with 1 if one is broken. It then prints the smallest history that
breaks it, and writes that history to ${replayFolder}/<seed>.json.

  --count N        faults to reach (default ${defaultCount})
  --transitions N  transitions with notices to reach as well (default 0)
  --seed S         seed of the first history (default: random, printed). Each further history has the next seed
  --replay FILE    plays the history of a file instead
  --help           print this help`;

function readFlags(): Readonly<Record<string, string>> | undefined {
  const { values } = readCommandLine(
    {
      args: process.argv.slice(2),
      options: {
        count: { type: 'string' },
        transitions: { type: 'string' },
        seed: { type: 'string' },
        replay: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  );
  const { count, transitions, seed, replay, help } = values;
  if (help) return undefined;
  return {
    ...(count !== undefined && { [settingNames.count]: String(wholeNumber('count', count, 1, maxCount)) }),
    ...(transitions !== undefined && {
      [settingNames.transitions]: String(wholeNumber('transitions', transitions, 1, maxCount)),
    }),
    ...(seed !== undefined && { [settingNames.seed]: String(wholeNumber('seed', seed, 0, maxSeed)) }),
    ...(replay !== undefined && { [settingNames.replay]: replay }),
  };
}

async function main(): Promise<void> {
  const variables = readFlags();
  if (!variables) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  Object.assign(process.env, variables, { [settingNames.showsProgress]: '1' }); // the workers of vitest inherit them
  const reporter = new FaultsReporter(Number(variables[settingNames.count] ?? defaultCount));
  const vitest = await startVitest('test', [file], { project: ['faults'], watch: false, reporters: [reporter] });
  await vitest.close();
}

await runCommand(main);
