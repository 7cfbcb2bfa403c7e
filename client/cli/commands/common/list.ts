import type { Command } from 'commander';
import { Option } from 'commander';
import type { CallOptions } from '../../../api.ts';
import type { List, Page } from '../../../list.ts';
import type { Roomscribe } from '../../../roomscribe.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { addParameters, positiveInteger, valuesOf } from '../../options.ts';
import { type Column, table } from '../../output/table.ts';
import type { Parameter } from '../../parameters.ts';
import { printRows, rowFormatOf, rowOptions } from './rows.ts';

/** The query of a list, with the parameter names of the API. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** The definition of a command that shows a list of the API. */
export type ListDefinition<Row> = {
  readonly parameters: readonly Parameter[];
  readonly columns: (query: Query) => readonly Column<Row>[];
  /** The note for an empty list. */
  readonly nothing: string;
  readonly list: (client: Roomscribe, query: Query, options: CallOptions) => List<Row>;
};

/** Makes a command show a list. Its parameters become arguments and options; `--limit` and `--all` set the number of rows. */
export function showsList<Row>(command: Command, cli: Cli, definition: ListDefinition<Row>): Command {
  const { parameters } = definition;
  addParameters(
    command,
    parameters.filter(({ name }) => name !== 'limit'),
  );
  const limit = parameters.find(({ name }) => name === 'limit');
  command
    .addOption(
      new Option('--limit <number>', `Maximum number of rows. Default: ${limit?.byDefault}.`).argParser(
        positiveInteger('--limit'),
      ),
    )
    .addOption(new Option('--all', 'Show all rows.').conflicts('limit'));
  for (const option of rowOptions()) command.addOption(option);
  return command.action(async () => {
    const { limit: wanted = Number(limit?.byDefault), all } = command.opts();
    const { limit: _, ...query }: Query = valuesOf(command, parameters);
    const amount = { wanted: all ? Number.POSITIVE_INFINITY : wanted, pageSize: limit?.maximum ?? 1 };
    await show(cli, command, definition, { query, amount });
  });
}

/** Shows a list as a table or as JSON, or prints it in a format of rows. */
async function show<Row>(
  cli: Cli,
  command: Command,
  { columns, nothing, list }: ListDefinition<Row>,
  { query, amount }: { readonly query: Query; readonly amount: Amount },
): Promise<void> {
  const output = outputOf(cli, command);
  const format = rowFormatOf(command);
  const listFrom = (client: Roomscribe, more: Query) => list(client, { ...query, ...more }, { signal: cli.signal });
  const noteMore = () => output.note('There are more rows. To show them, add --limit NUMBER or --all.');
  if (format) {
    const cursor = await withClient(cli, command, (client) => {
      const pages = take(
        (more) => listFrom(client, more).rowPage(format),
        ({ rows }) => rows.length,
        amount,
      );
      return printRows(cli, command, { pages, wanted: amount.wanted });
    });
    if (cursor !== null) noteMore();
    return;
  }
  const page = await withClient(cli, command, (client) => {
    const pages = take(
      (more) => listFrom(client, more).page(),
      ({ results }) => results.length,
      amount,
    );
    return together(pages, (count) => output.progress.isLive && output.progress.show(`${count} so far`));
  });
  output.print(page, (screen) => (page.results.length > 0 ? table(columns(query), page.results, screen) : ''));
  if (page.results.length === 0) output.note(nothing);
  else if (page.cursor !== null) noteMore();
}

type Amount = {
  readonly wanted: number;
  /** The maximum size of a page. */
  readonly pageSize: number;
};

/** Fetches as many pages as a number of rows needs. */
async function* take<Each extends { readonly cursor: string | null }>(
  fetchPage: (query: Query) => Promise<Each>,
  sizeOf: (page: Each) => number,
  { wanted, pageSize }: Amount,
): AsyncGenerator<Each, void, undefined> {
  let query: Query = {};
  for (let count = 0; ; ) {
    const page = await fetchPage({ ...query, limit: Math.min(pageSize, wanted - count) });
    yield page;
    count += sizeOf(page);
    if (page.cursor === null || count >= wanted) return;
    query = { cursor: page.cursor };
  }
}

/** The rows of all pages as one page. Calls `onMore` before each further page, with the number of rows so far. */
async function together<Row>(pages: AsyncIterable<Page<Row>>, onMore: (count: number) => unknown): Promise<Page<Row>> {
  const results: Row[] = [];
  let cursor: string | null = null;
  for await (const page of pages) {
    results.push(...page.results);
    cursor = page.cursor;
    if (cursor !== null) onMore(results.length);
  }
  return { results, cursor };
}
