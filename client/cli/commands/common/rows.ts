import { type Command, Option } from 'commander';
import type { RowPage } from '../../../rows.ts';
import type { RowFormat } from '../../../types.ts';
import { type Cli, type GlobalOptions, nextCommand, outputOf } from '../../cli.ts';
import { problemOf } from '../../failures.ts';
import { wordsOf } from '../../options.ts';
import { printable } from '../../output/text.ts';
import { Problem, usageProblem } from '../../problems.ts';

/** The options by which a command prints rows as text instead of a table, or writes them to files. */
export function rowOptions(verb = 'Print'): Option[] {
  return [
    new Option('--csv', `${verb} CSV (RFC 4180).`).conflicts('ndjson'),
    new Option('--ndjson', `${verb} one JSON object per line.`).conflicts('csv'),
  ];
}

/** The format that the options choose. Undefined for a table, and for the JSON of `--json`. */
export function rowFormatOf(command: Command): RowFormat | undefined {
  const { csv, ndjson, json } = command.optsWithGlobals<GlobalOptions & { csv?: true; ndjson?: true }>();
  const format = csv ? 'csv' : ndjson ? 'ndjson' : undefined;
  if (format && json) throw usageProblem(`Option '--${format}' cannot be used with option '--json'.`);
  return format;
}

/** What is printed: pages, and how many rows of them the command asks for. */
type Printed = { readonly pages: AsyncIterable<RowPage>; readonly wanted: number | undefined };

/**
 * Prints pages as they arrive, with a count on stderr, and returns the cursor after them. If it is interrupted or a page
 * cannot be fetched, the problem has the command that prints the rest.
 */
export async function printRows(cli: Cli, command: Command, { pages, wanted }: Printed): Promise<string | null> {
  const { progress } = outputOf(cli, command);
  let cursor: string | null = null;
  let count = 0;
  try {
    for await (const page of pages) {
      if (cli.stdout.isTTY) progress.stop(); // it would be in the middle of the rows
      await write(cli.stdout, page.header + page.rows.join(''));
      count += page.rows.length;
      cursor = page.cursor;
      if (progress.isLive && !cli.stdout.isTTY) progress.show(`${count} rows so far`);
      if (cursor !== null && cli.signal.aborted) throw cli.signal.reason;
    }
  } catch (error) {
    throw cursor === null
      ? error
      : unfinished(problemOf(error, command, cli.signal), command, { cursor, count, wanted });
  } finally {
    progress.stop();
  }
  return cursor;
}

/** Writes rows, and waits until the reader has taken them. A terminal must not execute what strangers wrote. */
function write(stdout: NodeJS.WriteStream, text: string): Promise<void> {
  const shown = stdout.isTTY ? printable(text.replaceAll('\r\n', '\n')) : text;
  return new Promise((resolve, reject) => {
    stdout.write(shown, (error) => (error ? reject(error) : resolve()));
  });
}

type Position = { readonly cursor: string; readonly count: number; readonly wanted: number | undefined };

function unfinished(problem: Problem, command: Command, { cursor, count, wanted }: Position): Problem {
  const rest = wanted !== undefined && Number.isFinite(wanted) ? { limit: String(wanted - count) } : {};
  const next = nextCommand(command, wordsOf(command, { cursor, ...rest }));
  const hint = `The first ${count} rows are complete. To print the others, run: ${next}`;
  return new Problem(problem.exit, problem.message, {
    code: problem.code,
    hint: problem.hint === undefined ? hint : `${problem.hint}\n${hint}`,
    details: { ...problem.details, cursor, rows: count },
    cause: problem.cause,
  });
}
