import { type Column, valueAt } from '../contracts/columns.ts';
import { jsonParts } from './json-pieces.ts';

/** The beginnings of a text that spreadsheets read as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;
const special = /^$|[",\r\n]/;

/** The header line of a table, with the names of its columns. */
export function csvHeader(columns: readonly Column[]): string {
  return `${columns.map((column) => cell(column.join('.'))).join(',')}\r\n`;
}

/** A row as a line of CSV (RFC 4180), in pieces: a long array is several. */
export function* csvRow(columns: readonly Column[], row: unknown): Generator<string> {
  for (const [index, column] of columns.entries()) {
    if (index > 0) yield ',';
    const value = valueAt(row, column);
    if (Array.isArray(value)) yield* arrayCell(value);
    else yield cell(value);
  }
  yield '\r\n';
}

/** An absent value is empty, and an empty text is `""`. A text never begins like a formula. Numbers are unchanged. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return quotedIfSpecial(JSON.stringify(value));
  return quotedIfSpecial(formula.test(value) ? `'${value}` : value);
}

function quotedIfSpecial(text: string): string {
  return special.test(text) ? `"${doubled(text)}"` : text;
}

/** An array as JSON in one cell. */
function* arrayCell(array: readonly unknown[]): Generator<string> {
  yield '"';
  for (const part of jsonParts(array)) yield doubled(part);
  yield '"';
}

function doubled(text: string): string {
  return text.replaceAll('"', '""');
}
