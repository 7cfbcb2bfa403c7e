import { createColors } from 'picocolors';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { type Column, table } from '#client/cli/output/table.ts';

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

/** The terminal column at which a text starts. */
function columnOf(line: string | undefined, text: string): number {
  return stringWidth(line?.slice(0, line.lastIndexOf(text)) ?? '');
}

it('a table separates columns with two spaces and aligns numbers to the right', () => {
  expect(table(columns, [row({ count: 5 }), row({ name: 'Grace', count: 1234 })], pipe)).toBe(
    ['ID                                    NAME   COUNT', `${id}  Ada        5`, `${id}  Grace   1234`].join('\n'),
  );
});

it('a table in a pipe is neither truncated nor coloured', () => {
  const name = 'A long name '.repeat(30);
  const text = table(columns, [row({ name })], pipe);
  expect(text).toContain(name);
  expect(text).not.toContain('\u001b');
});

it('a table has a bold header on a terminal', () => {
  const [header] = table(columns, [row({})], terminal(80)).split('\n');
  expect(header).toBe(createColors(true).bold('ID                                    NAME  COUNT'));
});

it('a table truncates texts to the width of the terminal, but never ids', () => {
  const lines = table(columns, [row({ name: 'A long name '.repeat(30) }), row({})], plain(60)).split('\n');
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(60);
  expect(lines[1]).toMatch(new RegExp(`^${id}  A long name A…? ?.*…\\s+1$`));
});

it.each([
  ['wide characters', '日本語の名前'],
  ['emoji', 'Ada 👩‍💻🚀'],
  ['emoji of later editions of Unicode', 'Ada 🫠🪿'],
  ['combining marks', 'สวัสดี e\u0301'],
  ['an empty name', ''],
])('a table keeps its columns aligned with %s', (_, name) => {
  const lines = table(columns, [row({ name, count: 7 }), row({ name: 'A much longer name', count: 7 })], pipe).split(
    '\n',
  );
  expect(columnOf(lines[1], '7')).toBe(columnOf(lines[2], '7'));
});

it('a table truncates between visible characters', () => {
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
  ['a C1 control character', 'Ada\u009b2J', 'Ada\ufffd2J'],
  ['line breaks', 'Ada\r\nroot\u2028x', 'Ada root x'],
  ['a reversed writing direction', 'Ada\u202egnp.exe', 'Ada\ufffdgnp.exe'],
  ['a lone surrogate', 'Ada\ud83d', 'Ada\ufffd'],
])('a table makes %s harmless', (_, name, shown) => {
  const text = table(columns, [row({ name })], pipe);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toContain(`  ${shown} `);
});

it('a table shows each row as a block of lines if its ids alone are too wide', () => {
  const text = table(columns, [row({ name: 'A long name '.repeat(9) }), row({ name: '' })], plain(40));
  const name = 'NAME   A long name A long name A long n…';
  const blocks = [`ID     ${id}`, name, 'COUNT  1', '', `ID     ${id}`, 'NAME', 'COUNT  1'];
  expect(text.split('\n')).toEqual(blocks);
});

it('a table without rows is only a header', () => {
  expect(table(columns, [], plain(80))).toBe('ID  NAME  COUNT');
});

it('a table that is too wide leaves out columns that may be left out, and blocks have them again', () => {
  const [first, ...others] = columns;
  const end: Column<Row> = { header: 'END', value: () => 'of the session', mayBeLeftOut: true };
  const withEnd = [...(first ? [first] : []), end, ...others];
  expect(table(withEnd, [row({})], plain(70))).toContain('END');
  const [header = ''] = table(withEnd, [row({})], plain(60)).split('\n');
  expect(header.split(/ +/)).toEqual(['ID', 'NAME', 'COUNT']);
  expect(table(withEnd, [row({})], plain(30))).toContain('END    of the session');
});
