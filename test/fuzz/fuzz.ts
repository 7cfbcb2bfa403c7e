import { spawnSync } from 'node:child_process';
import { readCommandLine, wholeNumber } from '#tools/shared/command-line.ts';
import { runCommand } from '#tools/shared/run-command.ts';

const usage = `npm run fuzz [-- flags]

Sends requests of schemathesis, and events made from their schema, to a service on this machine.

  --seed N       repeats a run (default: a new seed, which is printed)
  --seconds N    time for the requests (default 90)
  --events N     number of events (default 1000)
  --help         print this help`;

await runCommand(() => {
  const options = {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '90' },
    events: { type: 'string', default: '1000' },
    help: { type: 'boolean' },
  } as const;
  const { seed, seconds, events, help } = readCommandLine({ options }, usage).values;
  if (help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  const env = {
    ...process.env,
    FUZZ_SEED: String(wholeNumber('seed', seed, 0, 2 ** 31)),
    FUZZ_SECONDS: String(wholeNumber('seconds', seconds, 1, 3600)),
    FUZZ_EVENTS: String(wholeNumber('events', events, 1, 100_000)),
  };
  process.stdout.write(
    `npm run fuzz -- --seed ${env.FUZZ_SEED} --seconds ${env.FUZZ_SECONDS} --events ${env.FUZZ_EVENTS}\n`,
  );
  const run = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/fuzz/vitest.config.ts'];
  process.exitCode = spawnSync(process.execPath, run, { env, stdio: 'inherit' }).status ?? 1;
});
