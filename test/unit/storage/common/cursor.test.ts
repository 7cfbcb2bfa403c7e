import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { decodeCursor, encodeCursor } from '#shared/storage/common/cursor.ts';
import { listAttributes } from '#shared/storage/transcriptions/keys.ts';
import { organizationId, transcriptionRecord } from '../../../support/operations/records.ts';

const list = ['startDate', 'desc', null];
const position = `2026-03-01T09:00:00.000Z\0${'0'.repeat(36)}`;
const cursor = encodeCursor(list, position);

/** The position that a text decodes to, or why it is refused. Rethrows any other error, which would be a defect. */
function outcome(text: string): string {
  try {
    return decodeCursor(list, text);
  } catch (error) {
    if (error instanceof InvalidRequest) return error.issues.map(({ path }) => `refused: ${path}`).join();
    throw error;
  }
}

const positions = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => Buffer.byteLength(text) <= 1024);
const lists = fc.tuple(
  fc.constantFrom('startDate', 'roomName', 'durationInSeconds'),
  fc.constantFrom('asc', 'desc'),
  fc.option(fc.string({ unit: 'binary' })),
);

describe('a cursor', () => {
  test('decodes to the position that it was made from', () => {
    fc.assert(fc.property(lists, positions, (of, at) => decodeCursor(of, encodeCursor(of, at)) === at));
  });

  test('needs no escaping in a URL', () => {
    fc.assert(fc.property(lists, positions, (of, at) => /^[A-Za-z0-9_-]+$/.test(encodeCursor(of, at))));
  });

  test('is refused if it is from another order or filter', () => {
    fc.assert(
      fc.property(lists, lists, positions, (of, other, at) => {
        fc.pre(JSON.stringify(of) !== JSON.stringify(other));
        expect(() => decodeCursor(other, encodeCursor(of, at))).toThrow(InvalidRequest);
      }),
    );
  });

  test('of one room is refused for all rooms and for a room with a similar name', () => {
    for (const other of [
      ['startDate', 'desc', ''],
      ['startDate', 'desc', 'null'],
      ['startDate', 'desc'],
      ['startDate', 'desc', null, null],
      ['startDate', 'desc,null'],
    ]) {
      expect(() => decodeCursor(list, encodeCursor(other, position))).toThrow(InvalidRequest);
    }
  });

  test('contains a position and no organization', () => {
    const organization = organizationId('canary-organization');
    const sorts = listAttributes(transcriptionRecord({ organizationId: organization }));
    for (const [name, sort] of Object.entries(sorts)) {
      if (!name.endsWith('Sort')) continue; // a partition key, which no cursor is made from
      const made = encodeCursor(['startDate', 'asc', '/daily'], sort);
      expect(Buffer.from(made, 'base64url').toString()).not.toContain(organization);
      expect(made).toBe(encodeCursor(['startDate', 'asc', '/daily'], sort));
    }
  });
});

describe('a cursor that is changed', () => {
  test('in any bit of its bytes is refused or gives a position in the same list', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const result = outcome(changed.toString('base64url'));
      expect(result).not.toBe(position);
      expect(Buffer.byteLength(result)).toBeLessThanOrEqual(1024);
    }
  });

  test('in any bit of its characters is refused or gives a position in the same list', () => {
    for (let bit = 0; bit < cursor.length * 8; bit++) {
      const characters = Buffer.from(cursor);
      characters[bit >> 3] = (characters[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => outcome(characters.toString('latin1'))).not.toThrow();
    }
  });

  test('by truncation at any length is refused', () => {
    for (let length = 0; length < cursor.length; length++) {
      expect(outcome(cursor.slice(0, length))).toBe('refused: cursor');
    }
  });

  test('into any other text is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: 'binary' })), (text) => {
        expect(outcome(text)).toBe('refused: cursor');
      }),
    );
  });
});

test.each([
  ['nothing', ''],
  ['a number', 7],
  ['null', null],
  ['an object', { position: 'x' }],
  ['a hash alone', [cursorHash()]],
  ['an empty position', [cursorHash(), '']],
  ['a position that is a number', [cursorHash(), 7]],
  ['a position that is null', [cursorHash(), null]],
  ['a position with half of a surrogate pair', [cursorHash(), '\ud800']],
  ['a position that is too long for a key', [cursorHash(), 'x'.repeat(1025)]],
  ['three parts', [cursorHash(), 'x', 'other-organization']],
  ['an old version', { v: 0, organizationId: 'other', position: 'x' }],
])('a cursor of %s is refused', (_name, content) => {
  expect(outcome(Buffer.from(JSON.stringify(content)).toString('base64url'))).toBe('refused: cursor');
});

test('a cursor with a position as long as the longest key is accepted', () => {
  const longest = 'x'.repeat(1024);
  expect(outcome(encodeCursor(list, longest))).toBe(longest);
});

function cursorHash(): string {
  return JSON.parse(Buffer.from(encodeCursor(['startDate', 'desc', null], 'x'), 'base64url').toString())[0];
}
