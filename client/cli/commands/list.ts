import type { Command } from 'commander';
import { Option } from 'commander';
import type { CallOptions } from '../../api.ts';
import type { List, Page } from '../../list.ts';
import type { Roomscribe } from '../../roomscribe.ts';
import { type Cli, outputOf } from '../cli.ts';
import { withClient } from '../connect.ts';
import { addParameters, positiveInteger, valuesOf } from '../options.ts';
import { type Column, table } from '../output/table.ts';
import type { Parameter } from '../parameters.ts';

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
  const { parameters, columns, nothing, list } = definition;
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
  return command.action(async () => {
    const output = outputOf(cli, command);
    const { limit: wanted = Number(limit?.byDefault), all } = command.opts();
    const { limit: _, ...given }: Query = valuesOf(command, parameters);
    const page = await withClient(cli, command, (client) =>
      take((query) => list(client, { ...given, ...query }, { signal: cli.signal }).page(), {
        wanted: all ? Number.POSITIVE_INFINITY : wanted,
        pageSize: limit?.maximum ?? 1,
        onMore: (count) => output.progress.isLive && output.progress.show(`${count} so far`),
      }),
    );
    output.print(page, (screen) => (page.results.length > 0 ? table(columns(given), page.results, screen) : ''));
    if (page.results.length === 0) output.note(nothing);
    else if (page.cursor !== null) {
      output.note('There are more rows. To show them, add --limit NUMBER or --all.');
    }
  });
}

type Amount = {
  readonly wanted: number;
  /** The maximum size of a page. */
  readonly pageSize: number;
  /** Called before each further page, with the number of rows so far. */
  readonly onMore: (count: number) => unknown;
};

/** Fetches as many pages as needed, and returns the rows as one page. A page can be short, or empty, although others follow. */
async function take<Row>(fetchPage: (query: Query) => Promise<Page<Row>>, amount: Amount): Promise<Page<Row>> {
  const { wanted, pageSize, onMore } = amount;
  const results: Row[] = [];
  let query: Query = {};
  for (;;) {
    const page = await fetchPage({ ...query, limit: Math.min(pageSize, wanted - results.length) });
    results.push(...page.results);
    if (page.cursor === null || results.length >= wanted) return { results, cursor: page.cursor };
    onMore(results.length);
    query = { cursor: page.cursor };
  }
}
