import preferredMediaTypes from 'negotiator/lib/mediaType.js';
import { columnsOf, rowOf } from '../contracts/common/columns.ts';
import type { Endpoint } from '../contracts/common/endpoint.ts';
import { nextCursorHeader, rowMediaTypes } from '../contracts/common/row-formats.ts';
import { csvHeader, csvRow } from './csv.ts';
import { isLong, jsonParts, jsonPieces } from './json-pieces.ts';

/** A body in one media type: its headers, and its text, in pieces if it is long. */
export type Representation = {
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: Iterable<string>;
  readonly isLong: boolean;
};

type Represent = (body: unknown, accept: string | undefined) => Representation;
type Page = { readonly results: readonly unknown[]; readonly cursor: string | null };

const json = 'application/json';
const { csv, ndjson } = rowMediaTypes;

/**
 * How an endpoint represents its body. A list or an array can be CSV or NDJSON instead of JSON, as `Accept` prefers. JSON
 * answers a request that accepts none of them (RFC 9110, section 12.5.1): clients have always got it, whatever they sent.
 */
export function representationsOf({ response }: Pick<Endpoint, 'response'>): Represent {
  return (body, accept) => {
    const row = rowOf(response);
    if (!row) return { headers: { 'content-type': json }, ...jsonText(body) };
    const [preferred = json] = preferredMediaTypes(accept || '*/*', [json, csv, ndjson]);
    const vary = { vary: 'accept, accept-encoding' };
    if (preferred === json) return { headers: { ...vary, 'content-type': json }, ...jsonText(body) };
    const { results, cursor }: Page = Array.isArray(body) ? { results: body, cursor: null } : (body as Page);
    const headers = { ...vary, ...(cursor !== null && { [nextCursorHeader]: cursor }) };
    if (preferred === csv) {
      const type = `${csv}; charset=utf-8; header=present`;
      const pieces = csvPieces(columnsOf(row), results);
      return { headers: { ...headers, 'content-type': type }, pieces, isLong: isLong(body) };
    }
    return { headers: { ...headers, 'content-type': ndjson }, pieces: lines(results), isLong: isLong(body) };
  };
}

function jsonText(body: unknown): Pick<Representation, 'pieces' | 'isLong'> {
  if (isLong(body)) return { pieces: jsonPieces(body), isLong: true };
  return { pieces: [JSON.stringify(body)], isLong: false };
}

function* csvPieces(columns: ReturnType<typeof columnsOf>, rows: readonly unknown[]): Generator<string> {
  yield csvHeader(columns);
  for (const row of rows) {
    const pieces = csvRow(columns, row);
    if (isLong(row)) yield* pieces;
    else yield [...pieces].join('');
  }
}

function* lines(rows: readonly unknown[]): Generator<string> {
  for (const row of rows) {
    yield* jsonParts(row);
    yield '\n';
  }
}
