import CliTable from 'cli-table3';
import stringWidth from 'string-width';
import type { Screen } from './screen.ts';
import { cut, harmless } from './text.ts';

/** One column of a table. Only one that `mayBeCut` is ever shortened: not ids, nor what is copied into the next command. */
export type Column<Row> = {
  readonly header: string;
  readonly value: (row: Row) => string;
  readonly align?: 'right';
  readonly mayBeCut?: true;
};

const gap = 2;
/** A text that is cut to less than this says too little. */
const leastCut = 8;
/** Stands for one column of a text while the table is laid out. */
const standIn = '\u{e000}';

/**
 * Rows below a header, without borders. On a terminal it is no wider than that: texts that may be cut are, and where
 * that is not enough, each row becomes a block of lines. In a pipe everything is whole. No value can steer the terminal.
 */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], screen: Screen): string {
  const headers = columns.map((column) => column.header);
  const cells = rows.map((row) => columns.map((column) => harmless(column.value(row))));
  const natural = headers.map((_, index) =>
    [headers, ...cells].reduce((widest, texts) => Math.max(widest, stringWidth(texts[index] ?? '')), 0),
  );
  const widths = screen.columns === undefined ? natural : shrink(columns, natural, screen.columns);
  if (widths === undefined) return blocks(columns, cells, screen);
  const fitted = cells.map((texts) => texts.map((text, index) => cut(text, widths[index] ?? 0)));
  const [head = '', ...lines] = layOut(columns, [headers, ...fitted], widths);
  return [screen.colors.bold(head), ...lines].join('\n');
}

/** How wide each column may be, or nothing where not even cutting makes them fit: the widest gives way first. */
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

/** The lines of a table. Its library counts columns by an old edition of Unicode, so it lays out stand-ins for the texts. */
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

/** Each row as lines of a header and its value, with an empty line in between. */
function blocks<Row>(columns: readonly Column<Row>[], cells: readonly string[][], screen: Screen): string {
  const widest = Math.max(...columns.map(({ header }) => stringWidth(header)));
  const room = (screen.columns ?? 80) - widest - gap;
  const line = ({ header, mayBeCut }: Column<Row>, text: string) => {
    const label = screen.colors.bold(header) + ' '.repeat(widest - stringWidth(header) + gap);
    return (label + (mayBeCut ? cut(text, room) : text)).trimEnd();
  };
  return cells.map((texts) => columns.map((column, index) => line(column, texts[index] ?? '')).join('\n')).join('\n\n');
}
