import type { Screen } from './screen.ts';

/** A column of a table. */
export type Column<Row> = {
  readonly header: string;
  readonly value: (row: Row) => string;
  readonly align?: 'right';
};

/** Rows under their headers. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], _screen: Screen): string {
  const cells = [columns.map(({ header }) => header), ...rows.map((row) => columns.map(({ value }) => value(row)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => (row[index] ?? '').length)));
  return cells
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
