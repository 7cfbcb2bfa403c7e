import { formulaSource } from '../../contract.ts';

const formula = new RegExp(formulaSource, 'g');

/** A line of CSV (RFC 4180). An apostrophe stands before what a spreadsheet would take for a formula, as in the CSV of the API. */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(formula, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
