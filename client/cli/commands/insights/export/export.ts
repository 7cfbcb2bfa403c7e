import { type Command, Option } from 'commander';
import { type Cli, outputOf } from '../../../cli.ts';
import { withClient } from '../../../connect.ts';
import { problemOf } from '../../../failures.ts';
import { isLocked, withLock } from '../../../folders.ts';
import { examples } from '../../../options.ts';
import { Problem, usageProblem } from '../../../problems.ts';
import { rowOptions } from '../../common/rows.ts';
import { ownerOf } from './owner.ts';
import { fileNames, type Scope } from './state.ts';
import { countsOf, fetchAll } from './steps.ts';
import { WorkFolder } from './work-folder.ts';

type Flags = {
  readonly from: string;
  readonly to: string;
  readonly out: string;
  readonly force?: boolean;
  readonly ndjson?: boolean;
};

/** Adds `export`. */
export function addExport(program: Command, cli: Cli): void {
  const command = program
    .command('export')
    .description('Write the rooms, sessions, participants and transcriptions of a period to files.')
    .requiredOption('--from <time>', 'Begin of the period, such as 2026-03-01 (UTC).', timeOf('--from'))
    .requiredOption('--to <time>', 'End of the period; not part of it.', timeOf('--to'))
    .option('-o, --out <folder>', 'Folder of the files.', 'roomscribe-export')
    .addOption(new Option('--force', 'Overwrite existing files, and start over.'));
  for (const option of rowOptions('Write')) command.addOption(option);
  command
    .addHelpText('after', examples('$ roomscribe export --from 2026-03-01 --to 2026-04-01 --out march'))
    .action(async (flags: Flags) => {
      if (flags.from >= flags.to) throw usageProblem('--to must be later than --from.');
      await withLock(WorkFolder.lockOf(flags.out), () => run(cli, command, flags)).catch((error: unknown) => {
        if (!isLocked(error)) throw error;
        throw new Problem('tryAgainLater', `Another command writes to ${flags.out}.`, { code: 'locked', cause: error });
      });
    });
}

async function run(cli: Cli, command: Command, { from, to, out, force = false, ndjson }: Flags): Promise<void> {
  const output = outputOf(cli, command);
  await withClient(cli, command, async (client, { account }) => {
    const format = ndjson ? 'ndjson' : 'csv'; // of the files: --json is about what is printed
    const scope: Scope = { apiUrl: account.apiUrl, owner: ownerOf(account), from, to, format };
    const work = await WorkFolder.open(out, scope, force);
    if (work.isContinued) output.note('Going on with the export that was not finished.');
    try {
      if (!work.state.isFinishing) await fetchAll(client, work, cli.signal, output.progress);
    } catch (error) {
      await work.save();
      throw unfinished(problemOf(error, command, cli.signal), out);
    }
    await work.save();
    await work.finish();
    const { files } = work.state;
    const rows = Object.fromEntries(fileNames.map((name) => [name, files[name]?.rows ?? 0]));
    output.print({ folder: out, rows }, () => '');
    output.note(`Written to ${out} (${countsOf(work)}).`);
  });
}

function unfinished(problem: Problem, out: string): Problem {
  const hint = 'All that was fetched is kept. To go on, run the same command again.';
  return new Problem(problem.exit, problem.message, {
    code: problem.code,
    hint: problem.hint === undefined ? hint : `${problem.hint}\n${hint}`,
    details: { ...problem.details, folder: out },
    cause: problem.cause,
  });
}

/** Parses a date, which begins at midnight UTC, or a time with its zone. Returns it in UTC. */
function timeOf(flag: string): (value: string) => string {
  return (value) => {
    const isDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:?\d{2}))?$/.test(value) && isDay(value.slice(0, 10));
    const time = new Date(isDate ? value : Number.NaN);
    if (!Number.isNaN(time.getTime())) return time.toISOString();
    throw usageProblem(`${flag} must be a date, or a date and time with its zone, such as 2026-03-01T12:00:00Z.`);
  };
}

/** Whether the calendar has a day. `Date` takes 30 February for 2 March. */
function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}
