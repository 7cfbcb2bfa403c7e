import { envNames } from '#shared/names.ts';
import { readCommandLine, wholeNumber } from '#tools/shared/command-line.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { isMet, type Report, tableOf, writeSection } from './report.ts';

// `npm run bench`: measures what docs/performance.md reports.

process.env[envNames.logLevel] = 'ERROR'; // of the functions that run in this process; read when they are loaded

type Flags = { readonly seconds: number; readonly rooms: number; readonly seed: number };

/** Loaded when it is run: one bench does not wait for what another needs. */
const benches: Readonly<Record<string, (flags: Flags) => Promise<Report>>> = {
  lag: async ({ seconds, seed }) => (await import('./lag.ts')).measureLag(seconds, seed),
  'rate-limit': async () => (await import('./rate-limit.ts')).measureRateLimit(),
  scale: async ({ rooms }) => (await import('./scale.ts')).measureScale(rooms),
  session: async () => (await import('./session.ts')).measureSession(),
};
const names = Object.keys(benches);

const usage = `npm run bench [-- ${names.join('|')}] [flags]

Measures on a service of its own on this machine, prints a table of goal, figure and verdict, writes it into
docs/performance.md, and ends with 1 where a goal is missed. Without a name it runs all of them.

  lag            how long until an event is seen over HTTP, at 50 events a second
  rate-limit     how much longer a read takes because its points are counted
  scale          how reading pages of rooms depends on how many rooms there are
  session        what recording a session of 1 000 participants costs and takes

  --seconds N    how long lag sends events (default 60)
  --rooms N      rooms of the large organization of scale (default 100000)
  --seed N       makes the events of lag (default 1)
  --help         show this`;

function readFlags() {
  const { values, positionals } = parse(process.argv.slice(2));
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UserError(`There is no bench "${unknown}": choose ${names.join(', ')}, or none for all of them.`);
  }
  return {
    help: values.help,
    chosen: positionals.length > 0 ? positionals : names,
    seconds: wholeNumber('seconds', values.seconds, 1, 3600),
    rooms: wholeNumber('rooms', values.rooms, 2000, 1_000_000),
    seed: wholeNumber('seed', values.seed, 0, 2_147_483_647),
  };
}

function parse(args: readonly string[]) {
  return readCommandLine(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        seconds: { type: 'string', default: '60' },
        rooms: { type: 'string', default: '100000' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  );
}

async function main(): Promise<void> {
  const { help, chosen, ...flags } = readFlags();
  if (help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  for (const name of new Set(chosen)) {
    const report = await benches[name]?.(flags);
    if (!report) continue;
    process.stdout.write(`\n${name}: ${report.setup}\n\n${[tableOf(report), ...(report.notes ?? [])].join('\n\n')}\n`);
    await writeSection(name, report);
    if (!isMet(report)) process.exitCode = 1;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof UserError ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
process.exit(); // whatever the SDK or fetch still keep open must not keep the person waiting
