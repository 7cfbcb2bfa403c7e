import { spawnSync } from 'node:child_process';
import { Option } from 'commander';
import { commandLine, wholeNumber } from '#tools/shared/command-line.ts';
import { runCommand } from '#tools/shared/run-command.ts';

await runCommand(() => {
  const { seed, seconds, events } = commandLine(
    'npm run fuzz --',
    'Sends requests of schemathesis, and events made from their schema, to a service on this machine.',
  )
    .addOption(
      new Option('--seed <n>', 'repeats a run')
        .argParser(wholeNumber('--seed', 0, 2 ** 31))
        .default(Date.now() % 2 ** 31, 'a new seed, which is printed'),
    )
    .option('--seconds <n>', 'time for the requests', wholeNumber('--seconds', 1, 3600), 90)
    .option('--events <n>', 'number of events', wholeNumber('--events', 1, 100_000), 1000)
    .parse()
    .opts();
  const env = { ...process.env, FUZZ_SEED: String(seed), FUZZ_SECONDS: String(seconds), FUZZ_EVENTS: String(events) };
  process.stdout.write(
    `npm run fuzz -- --seed ${env.FUZZ_SEED} --seconds ${env.FUZZ_SECONDS} --events ${env.FUZZ_EVENTS}\n`,
  );
  const run = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/fuzz/vitest.config.ts'];
  process.exitCode = spawnSync(process.execPath, run, { env, stdio: 'inherit' }).status ?? 1;
});
