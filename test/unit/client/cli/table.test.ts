import { createColors } from 'picocolors';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { type Column, table } from '../../../../client/cli/output/table.ts';

type Row = { readonly id: string; readonly name: string; readonly count: number };

const columns: readonly Column<Row>[] = [
  { header: 'ID', value: (row) => row.id },
  { header: 'NAME', value: (row) => row.name, mayBeCut: true },
  { header: 'COUNT', value: (row) => String(row.count), align: 'right' },
];
const id = '11111111-1111-4111-8111-111111111111';
const pipe = { columns: undefined, colors: createColors(false) };
const terminal = (width: number) => ({ columns: width, colors: createColors(true) });
const plain = (width: number) => ({ columns: width, colors: createColors(false) });

const row = (facts: Partial<Row>): Row => ({ id, name: 'Ada', count: 1, ...facts });

/** Where a text begins, in columns of the terminal. */
function columnOf(line: string | undefined, text: string): number {
  return stringWidth(line?.slice(0, line.lastIndexOf(text)) ?? '');
}

it('puts two spaces between columns, and numbers to the right', () => {
  expect(table(columns, [row({ count: 5 }), row({ name: 'Grace', count: 1234 })], pipe)).toBe(
    ['ID                                    NAME   COUNT', `${id}  Ada        5`, `${id}  Grace   1234`].join('\n'),
  );
});

it('cuts nothing and colours nothing in a pipe', () => {
  const name = 'A long name '.repeat(30);
  const text = table(columns, [row({ name })], pipe);
  expect(text).toContain(name);
  expect(text).not.toContain('\u001b');
});

it('has a bold header on a terminal', () => {
  const [header] = table(columns, [row({})], terminal(80)).split('\n');
  expect(header).toBe(createColors(true).bold('ID                                    NAME  COUNT'));
});

it('cuts texts to the width of the terminal, and no id', () => {
  const lines = table(columns, [row({ name: 'A long name '.repeat(30) }), row({})], plain(60)).split('\n');
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  expect(lines[1]).toMatch(new RegExp(`^${id}  A long name A…? ?.*…\\s+1$`));
});

it.each([
  ['wide characters', '日本語の名前'],
  ['emoji', 'Ada 👩‍💻🚀'],
  ['emoji of later editions of Unicode', 'Ada 🫠🪿'],
  ['combining marks', 'สวัสดี e\u0301'],
  ['no name at all', ''],
])('keeps the columns straight with %s', (_, name) => {
  const lines = table(columns, [row({ name, count: 7 }), row({ name: 'A much longer name', count: 7 })], pipe).split(
    '\n',
  );
  expect(columnOf(lines[1], '7')).toBe(columnOf(lines[2], '7'));
});

it('cuts between characters as they are seen', () => {
  const lines = table(
    columns,
    [row({ name: '日本語の名前'.repeat(10) }), row({ name: '👩‍👩‍👧'.repeat(30) })],
    plain(60),
  );
  for (const line of lines.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  expect(lines).toMatch(/(👩‍👩‍👧)+…/u);
});

it.each([
  ['an escape sequence', 'Ada\u001b[31m\u001b]0;owned\u0007', 'Ada\ufffd[31m\ufffd]0;owned\ufffd'],
  ['one of the upper controls', 'Ada\u009b2J', 'Ada\ufffd2J'],
  ['line breaks', 'Ada\r\nroot\u2028x', 'Ada root x'],
  ['a turned direction', 'Ada\u202egnp.exe', 'Ada\ufffdgnp.exe'],
  ['half a character', 'Ada\ud83d', 'Ada\ufffd'],
])('makes %s harmless', (_, name, shown) => {
  const text = table(columns, [row({ name })], pipe);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toContain(`  ${shown} `);
});

it('shows each row as a block of lines where its ids alone are too wide', () => {
  const text = table(columns, [row({ name: 'A long name '.repeat(9) }), row({ name: '' })], plain(40));
  const name = 'NAME   A long name A long name A long n…';
  const blocks = [`ID     ${id}`, name, 'COUNT  1', '', `ID     ${id}`, 'NAME', 'COUNT  1'];
  expect(text.split('\n')).toEqual(blocks);
});

it('is a header alone without rows', () => {
  expect(table(columns, [], plain(80))).toBe('ID  NAME  COUNT');
});
