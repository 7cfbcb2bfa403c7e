import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { InvalidRequest } from '../errors.ts';
import type { KeyRange } from './keys.ts';

const maxPositionBytes = 1024;
const Cursor = z.tuple([z.string(), z.string().check(z.minLength(1))]);

/**
 * A cursor: where the next page begins in one ordered list, and a hash of the order and filters that made the list. It
 * names no organization, so that another's cursor is a position in the caller's own list and nothing else.
 */
export function encodeCursor(list: readonly unknown[], position: string): string {
  return Buffer.from(JSON.stringify([hashOf(list), position])).toString('base64url');
}

/** The position in a cursor made for the same list, within its range; throws `InvalidRequest` for any other text. */
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

/** For a text that is no cursor at all, or one where none is ever given out. */
export function foreignCursor(): InvalidRequest {
  return invalid('is not a cursor that this API gave out');
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(cursor, 'base64url')));
  } catch {
    return undefined; // not JSON: the schema refuses it
  }
}

function hashOf(list: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);
}

function invalid(message: string): InvalidRequest {
  return new InvalidRequest([{ path: 'cursor', message }]);
}
