import { startVitest } from 'vitest/node';
import { commandLine, wholeNumber } from '#tools/shared/command-line.ts';
import { runCommand } from '#tools/shared/run-command.ts';
import { FaultsReporter } from './reporter.ts';
import { defaultCount, replayFolder, settingNames } from './settings.ts';

// `npm run faults`: plays random histories with faults, or one that has failed before.

const file = 'test/faults/random-faults.test.ts';
const maxCount = 10_000_000;
const maxSeed = 2_147_483_647;

function readFlags(): Readonly<Record<string, string>> {
  const given = commandLine(
    'npm run faults --',
    'Plays random histories of requests, events and faults in tables, queues and buckets of their own, until so many faults ' +
      'were reached. After each history it checks every invariant. Exits with 1 if one is broken. It then prints the ' +
      `smallest history that breaks it, and writes that history to ${replayFolder}/<seed>.json.`,
  )
    .option('--count <n>', `faults to reach (default: ${defaultCount})`, wholeNumber('--count', 1, maxCount))
    .option(
      '--transitions <n>',
      'transitions with notices to reach as well (default: 0)',
      wholeNumber('--transitions', 1, maxCount),
    )
    .option(
      '--seed <n>',
      'seed of the first history (default: random, printed). Each further history has the next seed',
      wholeNumber('--seed', 0, maxSeed),
    )
    .option('--replay <file>', 'plays the history of a file instead')
    .parse()
    .opts<Partial<Record<'count' | 'transitions' | 'seed' | 'replay', number | string>>>();
  return Object.fromEntries(
    Object.entries(given).map(([flag, value]) => [settingNames[flag as keyof typeof given], String(value)]),
  );
}

async function main(): Promise<void> {
  const variables = readFlags();
  Object.assign(process.env, variables, { [settingNames.showsProgress]: '1' }); // the workers of vitest inherit them
  const reporter = new FaultsReporter(Number(variables[settingNames.count] ?? defaultCount));
  const vitest = await startVitest('test', [file], { project: ['faults'], watch: false, reporters: [reporter] });
  await vitest.close();
}

await runCommand(main);
