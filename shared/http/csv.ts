import { type Column, valueAt } from '../contracts/common/columns.ts';
import { csvFormulaSource } from '../contracts/common/csv-formula.ts';
import { jsonParts } from './json-pieces.ts';

const formula = new RegExp(csvFormulaSource, 'g');
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

/** An absent value is empty, and an empty text is `""`. An apostrophe stands before what looks like a formula. Numbers are unchanged. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return quotedIfSpecial(JSON.stringify(value));
  return quotedIfSpecial(value.replaceAll(formula, "'"));
}

function quotedIfSpecial(text: string): string {
  return special.test(text) ? `"${doubled(text)}"` : text;
}

/** An array as JSON in one cell. Its semicolons are escaped, so that no spreadsheet splits it there. */
function* arrayCell(array: readonly unknown[]): Generator<string> {
  yield '"';
  for (const part of jsonParts(array)) yield doubled(part.replaceAll(';', '\\u003b'));
  yield '"';
}

function doubled(text: string): string {
  return text.replaceAll('"', '""');
}
