/** The bytes of a cursor, base64url-decoded. */
export const bytesOf = (cursor: string): Buffer => Buffer.from(cursor, 'base64url');

/** A cursor with the list hash of another cursor and the given position. */
export function withPosition(cursor: string, position: unknown): string {
  const [hash] = JSON.parse(bytesOf(cursor).toString('utf8'));
  return Buffer.from(JSON.stringify([hash, position])).toString('base64url');
}

/**
 * Copies of a cursor with the lowest, the fourth or the highest bit of one byte flipped. Those with a change in the
 * hash are separate.
 */
export function flipped(cursor: string): { readonly inHash: readonly string[]; readonly elsewhere: readonly string[] } {
  const bytes = bytesOf(cursor);
  const flips = [...bytes].flatMap((byte, index) =>
    [0, 3, 7].map((bit) =>
      bytesOf(cursor)
        .fill(byte ^ (1 << bit), index, index + 1)
        .toString('base64url'),
    ),
  );
  const [first, end] = [3 * 2, 3 * 13]; // the eleven characters after `["`
  return { inHash: flips.slice(first, end), elsewhere: [...flips.slice(0, first), ...flips.slice(end)] };
}

/** Copies of a cursor with one character replaced by a character that cursors do not use. */
export function replaced(cursor: string): string[] {
  return [...cursor].map((_, index) => `${cursor.slice(0, index)}%${cursor.slice(index + 1)}`);
}

/** Copies of a cursor, truncated before each of its characters. */
export function cutOff(cursor: string): string[] {
  return [...cursor].map((_, index) => cursor.slice(0, index));
}

const encoded = (text: string | Buffer) => Buffer.from(text).toString('base64url');

/** Texts that no list has issued as a cursor. */
export const foreignCursors: readonly (readonly [what: string, cursor: string])[] = [
  ['empty', ''],
  ['no base64', '!!!!'],
  ['text', encoded('hello')],
  ['null', encoded('null')],
  ['a number', encoded('1')],
  ['an object', encoded('{"organizationId":"x"}')],
  ['a list of lists', encoded('[[],[]]')],
  ['one of a version that never was', encoded('["v0","2026"]')],
  ['a key of DynamoDB', encoded('{"organizationId":{"S":"x"},"roomName":{"S":"/"}}')],
  ['deeply nested', encoded('['.repeat(2000))],
  ['bytes', encoded(Buffer.from([0xff, 0xfe, 0x00, 0x80]))],
  ['8 KB of letters', 'A'.repeat(8000)],
];

/** Positions that no cursor has, or that belong to no element. */
export const oddPositions: readonly (readonly [what: string, position: unknown])[] = [
  ['empty', ''],
  ['a number', 5],
  ['a NUL', '\0'],
  ['before all values', '0'],
  ['where the missing values begin', '1'],
  ['behind them', '2'],
  ['the last of all characters', '\uffff'.repeat(300)],
  ['as long as a key may be', '9'.repeat(1024)],
  ['one byte longer', '9'.repeat(1025)],
  ['a lone surrogate', '\ud800'],
  ['a list', ['2026']],
  ['nothing', undefined],
];
