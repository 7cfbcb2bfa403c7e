import { Argument } from 'commander';
import { envNames } from '#shared/runtime/names.ts';
import { commandLine, wholeNumber } from '#tools/shared/command-line.ts';
import { runCommand } from '#tools/shared/run-command.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { isMet, type Report, tableOf } from './report.ts';
import { durationOf, writeSection, writeTotal } from './write-page.ts';

// `npm run bench`: runs the benchmarks and writes the results into docs/performance.md.

process.env[envNames.logLevel] = 'ERROR'; // set before the functions are loaded, because they read it then

type Flags = {
  readonly seconds: number;
  readonly rooms?: number;
  readonly rounds: number;
  readonly people: number;
  readonly seed: number;
};

/** The benchmarks by name. Each is loaded only when it runs. */
const benches: Readonly<Record<string, (flags: Flags) => Promise<Report>>> = {
  console: async () => (await import('./console/console.ts')).measureConsole(),
  cost: async ({ rooms }) => (await import('./cost/cost.ts')).measureCost(rooms),
  fairness: async () => (await import('./fairness/fairness.ts')).measureFairness(),
  'hot-room': async ({ people, seconds, seed }) =>
    (await import('./fairness/hot-room.ts')).measureHotRoom(people, seconds, seed),
  init: async ({ rounds }) => (await import('./init/init.ts')).measureInit(rounds),
  lag: async ({ seconds, seed }) => (await import('./fairness/lag.ts')).measureLag(seconds, seed),
  media: async () => (await import('./media/media.ts')).measureMedia(),
  memory: async ({ seconds, seed }) => (await import('./cost/memory.ts')).measureMemory(seconds, seed),
  names: async () => (await import('./media/names.ts')).measureNames(),
  scale: async ({ rooms }) => (await import('./scale.ts')).measureScale(rooms ?? usualRooms),
  start: async () => (await import('./start.ts')).measureStart(),
  webhooks: async ({ seed }) => (await import('./webhooks/webhooks.ts')).measureWebhooks(seed),
};
const names = Object.keys(benches);
/** These show no goal, so they run only by name. */
const onlyByName = ['hot-room', 'memory', 'names', 'webhooks'];
const usual = names.filter((name) => !onlyByName.includes(name));

/** The rooms of the large organization in scale: those of the goal, and the fewest that are worth comparing. */
const [usualRooms, fewestRooms] = [1_000_000, 2_000];

const benchmarks = `
Benchmarks:
  console        how soon the console can be used, and whether scrolling and drawing make its reader wait
  cost           what requests, sessions and recordings cost in AWS, and the bills of three customers
  fairness       how long other organizations wait while one has a backlog
  hot-room       a session that thousands join within a minute: exact totals, write units, other rooms meanwhile
  init           how long each function takes to load, relative to the bundle that CDK makes by default
  lag            the time until an event is visible over HTTP, at 50 events a second, alone and beside a flood
  media          how soon recordings are ready
  memory         the peaks of participant detail and of the workers of room events and of merges, and the memory of the local runner
  names          wrong names of speakers in seeded meetings, none allowed, and the share that stays unnamed
  scale          how the number of rooms affects reading a page
  start          how long npm start takes, and a test that sees a changed handler
  webhooks       how late notices reach a thousand receivers, with and without ten broken ones among them`;

function readFlags(): Flags & { readonly chosen: readonly string[] } {
  const program = commandLine(
    'npm run bench --',
    'Runs benchmarks on a local runner of their own, prints a table of goals, figures and verdicts, and writes it into ' +
      'docs/performance.md. Exits with 1 if a goal is missed.',
  )
    .addArgument(
      new Argument('[names...]', `without a name, all benchmarks but ${onlyByName.join(', ')}`).choices(names),
    )
    .option(
      '--seconds <n>',
      'seconds during which lag, memory and the second half of hot-room load the runner',
      wholeNumber('--seconds', 1, 3600),
      20,
    )
    .option(
      '--people <n>',
      'participants who join the session of hot-room',
      wholeNumber('--people', 100, 100_000),
      10_000,
    )
    .option(
      '--rooms <n>',
      `rooms of the large organization in scale (default ${usualRooms}, at least ${fewestRooms}), and rooms a day of the ` +
        'one customer of cost (default three customers: 10, 1000 and 50000)',
      wholeNumber('--rooms', 1, 1_000_000),
    )
    .option('--rounds <n>', 'times that init loads every function', wholeNumber('--rounds', 1, 100), 41)
    .option(
      '--seed <n>',
      'seed for the events of hot-room, lag, memory and webhooks',
      wholeNumber('--seed', 0, 2_147_483_647),
      1,
    )
    .addHelpText('after', benchmarks)
    .parse(
      process.argv.slice(2).filter((argument) => argument !== '--'),
      { from: 'user' },
    );
  const flags = program.opts<Flags>();
  const chosen = program.args.length > 0 ? program.args : usual;
  if (flags.rooms !== undefined && flags.rooms < fewestRooms && chosen.includes('scale'))
    throw new UserError(`--rooms must be at least ${fewestRooms} for scale, not ${flags.rooms}.`);
  return { ...flags, chosen };
}

async function main(): Promise<void> {
  const { chosen, ...flags } = readFlags();
  const times: string[] = [];
  const began = performance.now();
  for (const name of new Set(chosen)) {
    const startedAt = performance.now();
    const report = await benches[name]?.(flags);
    if (!report) continue;
    const tookMs = performance.now() - startedAt;
    times.push(`${name} ${durationOf(tookMs)}`);
    process.stdout.write(`\n${name}: ${report.setup}\n\n${[tableOf(report), ...(report.notes ?? [])].join('\n\n')}\n`);
    await writeSection(name, report, tookMs);
    if (!isMet(report)) process.exitCode = 1;
  }
  if (usual.every((name) => chosen.includes(name))) await writeTotal(performance.now() - began);
  process.stdout.write(`\nTook ${durationOf(performance.now() - began)}: ${times.join(', ')}.\n`);
}

await runCommand(main);
process.exit(); // do not wait for connections that the SDK or fetch keep open
