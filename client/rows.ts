import { nextCursorHeader, rowMediaTypes } from './contract.ts';
import { ConnectionError } from './errors.ts';
import type { RowFormat } from './types.ts';

/** One page of a list as text. `header` and `rows` have their line ends. */
export type RowPage = {
  /** The header line of CSV at the beginning of a list. Empty on all other pages, and for NDJSON. */
  readonly header: string;
  readonly rows: readonly string[];
  /** The cursor of the next page. It is null on the last page. */
  readonly cursor: string | null;
};

/** A record of CSV: cells outside and inside quotes, then a line end. Written without nested repetition, and sticky, so it is linear. */
const csvRecord = /[^"\r]*(?:"[^"]*"[^"\r]*)*\r\n/gy;

/** The lines of NDJSON, or the records of CSV, whose texts can contain line ends. */
export function recordsOf(format: RowFormat, text: string): readonly string[] {
  return format === 'csv' ? (text.match(csvRecord) ?? []) : text.split(/(?<=\n)/).filter((line) => line !== '');
}

/** Reads an answer in a format of rows. */
export async function readRows(response: Response, format: RowFormat): Promise<RowPage> {
  const expected = rowMediaTypes[format];
  const [mediaType = ''] = (response.headers.get('content-type') ?? '').split(';');
  if (mediaType !== expected) {
    const message = `The answer is ${mediaType} instead of ${expected}. The deployment may be older than this client.`;
    throw new ConnectionError('unexpected_answer', message);
  }
  const records = recordsOf(format, await response.text());
  const [header = '', rows] = format === 'csv' ? [records[0], records.slice(1)] : ['', records];
  return { header, rows, cursor: response.headers.get(nextCursorHeader) };
}

const csvCell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?:,|\r\n)/gy;

/** The values of a row by the names of its columns. Those of CSV are texts. */
export function valuesIn(format: RowFormat, header: string, row: string): Readonly<Record<string, string | undefined>> {
  if (format === 'ndjson') return JSON.parse(row);
  const cells = (record: string) =>
    [...record.matchAll(csvCell)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '');
  const values = cells(row);
  return Object.fromEntries(cells(header).map((name, index) => [name, values[index]]));
}
