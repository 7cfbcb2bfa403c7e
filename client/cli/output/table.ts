import CliTable from 'cli-table3';
import stringWidth from 'string-width';
import type { Screen } from './screen.ts';
import { cut, harmless } from './text.ts';

/**
 * One column of a table. Only a column with `mayBeCut` is shortened. Ids are not, because people copy them. A table that is
 * too wide has no columns with `mayBeLeftOut`.
 */
export type Column<Row> = {
  readonly header: string;
  readonly value: (row: Row) => string;
  readonly align?: 'right';
  readonly mayBeCut?: true;
  readonly mayBeLeftOut?: true;
};

const gap = 2;
/** The minimum width of a shortened text. */
const leastCut = 8;
/** Represents one column of a text during the layout of the table. */
const standIn = '\u{e000}';

/**
 * Rows below a header, without borders. On a terminal, shortens texts that may be cut. If the table is still too wide, each
 * row becomes a block of lines. In a pipe, nothing is shortened. No value can send commands to the terminal.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], screen: Screen): string {
  const needed = columns.filter(({ mayBeLeftOut }) => !mayBeLeftOut);
  return fitted(columns, rows, screen) ?? fitted(needed, rows, screen) ?? blocks(columns, rows, screen);
}

/** The table, or undefined if the screen is too narrow for it. */
function fitted<Row>(columns: readonly Column<Row>[], rows: readonly Row[], screen: Screen): string | undefined {
  const headers = columns.map((column) => column.header);
  const cells = cellsOf(columns, rows);
  const natural = headers.map((_, index) =>
    [headers, ...cells].reduce((widest, texts) => Math.max(widest, stringWidth(texts[index] ?? '')), 0),
  );
  const widths = screen.columns === undefined ? natural : shrink(columns, natural, screen.columns);
  if (widths === undefined) return undefined;
  const fitted = cells.map((texts) => texts.map((text, index) => cut(text, widths[index] ?? 0)));
  const [head = '', ...lines] = layOut(columns, [headers, ...fitted], widths);
  return [screen.colors.bold(head), ...lines].join('\n');
}

function cellsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[][] {
  return rows.map((row) => columns.map((column) => harmless(column.value(row))));
}

/** The width of each column, or undefined if the columns do not fit. Shortens the widest column first. */
function shrink<Row>(columns: readonly Column<Row>[], natural: readonly number[], available: number) {
  const widths = [...natural];
  const least = columns.map(({ header, mayBeCut }, index) =>
    mayBeCut ? Math.min(natural[index] ?? 0, Math.max(leastCut, stringWidth(header))) : (natural[index] ?? 0),
  );
  const total = () => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (total() > available) {
    const slack = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const widest = Math.max(0, ...slack);
    if (widest === 0) return undefined;
    widths[slack.indexOf(widest)] = widest - 1;
  }
  return widths;
}

/** The lines of a table. The library measures text by an old Unicode version, so it gets placeholders instead of texts. */
function layOut<Row>(columns: readonly Column<Row>[], lines: readonly string[][], widths: readonly number[]): string[] {
  const layout = new CliTable({
    chars: Object.fromEntries(borders.map((name) => [name, name === 'middle' ? ' '.repeat(gap) : ''])),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: [...widths],
    colAligns: columns.map(({ align }) => align ?? 'left'),
  });
  layout.push(...lines.map((texts) => texts.map((text) => standIn.repeat(stringWidth(text)))));
  const laidOut = layout.toString().split('\n');
  return lines.map((texts, index) => {
    const visible = texts.filter((text) => stringWidth(text) > 0).values();
    const line = laidOut[index] ?? '';
    return line.replace(/\u{e000}+/gu, () => visible.next().value ?? '').trimEnd();
  });
}

const borders = [
  ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
  ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
];

/** Each row as lines with a header and a value. Rows are separated by an empty line. */
function blocks<Row>(columns: readonly Column<Row>[], rows: readonly Row[], screen: Screen): string {
  const widest = Math.max(...columns.map(({ header }) => stringWidth(header)));
  const room = (screen.columns ?? 80) - widest - gap;
  const line = ({ header, mayBeCut }: Column<Row>, text: string) => {
    const label = screen.colors.bold(header) + ' '.repeat(widest - stringWidth(header) + gap);
    return (label + (mayBeCut ? cut(text, room) : text)).trimEnd();
  };
  return cellsOf(columns, rows)
    .map((texts) => columns.map((column, index) => line(column, texts[index] ?? '')).join('\n'))
    .join('\n\n');
}
