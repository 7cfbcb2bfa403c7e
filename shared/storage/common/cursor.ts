import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import type { KeyRange } from './keys.ts';

const maxPositionBytes = 1024;
const Cursor = z.tuple([z.string(), z.string().check(z.minLength(1))]);

/**
 * A cursor has the position where the next page begins and a hash of the list's order and filters. It
 * names no organization, so another organization's cursor is only a position in the caller's own list.
 */
export function encodeCursor(list: readonly unknown[], position: string): string {
  return Buffer.from(JSON.stringify([hashOf(list), position])).toString('base64url');
}

/** Returns the position in a cursor of the same list and within its range. Throws `InvalidRequest` for any other text. */
export function decodeCursor(list: readonly unknown[], cursor: string, range?: KeyRange): string {
  const parsed = Cursor.safeParse(parseJson(cursor));
  if (!parsed.success) throw foreignCursor();
  const [hash, position] = parsed.data;
  if (hash !== hashOf(list)) throw invalid('belongs to another sort order or filter: start again without it');
  const bytes = Buffer.from(position);
  const isOutside = range && (bytes.compare(Buffer.from(range[0])) < 0 || bytes.compare(Buffer.from(range[1])) > 0);
  if (!position.isWellFormed() || bytes.length > maxPositionBytes || isOutside) throw foreignCursor();
  return position;
}

/** The error for a text that is not a cursor, or for a cursor of a list that has only one page. */
export function foreignCursor(): InvalidRequest {
  return invalid('must be a cursor that this API returned');
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(cursor, 'base64url')));
  } catch {
    return undefined; // not JSON, so the schema rejects it
  }
}

function hashOf(list: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);
}

function invalid(message: string): InvalidRequest {
  return new InvalidRequest([{ path: 'cursor', message }]);
}
