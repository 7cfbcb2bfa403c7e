import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { queryInteger, RoomName, Uuid } from '#shared/contracts/common/fields.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { issuesOf, taken } from '../../../support/issues.ts';

describe('Uuid', () => {
  test('accepts a UUID of any version, including the nil UUID', () => {
    fc.assert(fc.property(fc.uuid(), (uuid) => taken(Uuid, uuid) === uuid));
    expect(taken(Uuid, '00000000-0000-0000-0000-000000000000')).toBe('00000000-0000-0000-0000-000000000000');
  });

  test('converts letters to lower case', () => {
    expect(taken(Uuid, '0190ABCD-EF01-7234-8ABC-0123456789AB')).toBe('0190abcd-ef01-7234-8abc-0123456789ab');
  });

  test.each([
    '',
    'x',
    '0190abcdef0172348abc0123456789ab',
    '0190abcd-ef01-7234-8abc-0123456789a',
    '0190abcd-ef01-7234-8abc-0123456789abc',
    '0190abcd-ef01-7234-8abc-0123456789ag',
    ' 0190abcd-ef01-7234-8abc-0123456789ab',
    '0190abcd-ef01-7234-8abc-0123456789ab\n',
    '{0190abcd-ef01-7234-8abc-0123456789ab}',
    '../../../../../../../../../../../etc/hosts',
    'acme#0190abcd-ef01-7234-8abc-0123456789ab',
    '0190abcd\0ef01-7234-8abc-0123456789ab',
    '\uff10190abcd-ef01-7234-8abc-0123456789ab',
  ])('rejects %j', (text) => {
    expect(issuesOf(Uuid, text)).toEqual([': must be a UUID']);
  });

  test('rejects 2 KB of text', () => {
    expect(issuesOf(Uuid, 'a'.repeat(2048))).toEqual([': must be a UUID']);
  });

  test.each([
    [undefined, 'is required'],
    [null, 'must be a string'],
    [7, 'must be a string'],
    [{ $gt: '' }, 'must be a string'],
  ])('rejects the value %j with an exact message', (value, message) => {
    expect(issuesOf(Uuid, value)).toEqual([`: ${message}`]);
  });
});

describe('RoomName', () => {
  test.each(['/', '/daily', '//', '/a b?c#d%2Fe&f=g', '/été', '/e\u0301te\u0301', '/שלום', '/👩‍👩‍👧'])(
    'returns %j unchanged',
    (name) => {
      expect(taken(RoomName, name)).toBe(name);
    },
  );

  test('accepts at most 512 bytes of UTF-8, counting bytes and not characters', () => {
    expect(issuesOf(RoomName, `/${'a'.repeat(512)}`)).toEqual([': must be at most 512 bytes of UTF-8']);
    expect(issuesOf(RoomName, `/a${'é'.repeat(255)}`)).toEqual([]);
    expect(issuesOf(RoomName, `/${'é'.repeat(256)}`)).toEqual([': must be at most 512 bytes of UTF-8']);
    expect(issuesOf(RoomName, `/abc${'😀'.repeat(127)}`)).toEqual([]);
    expect(issuesOf(RoomName, `/abcd${'😀'.repeat(127)}`)).toEqual([': must be at most 512 bytes of UTF-8']);
  });

  test.each([
    ['', 'must start with "/"'],
    ['daily', 'must start with "/"'],
    [' /daily', 'must start with "/"'],
    ['／daily', 'must start with "/"'],
    ['/a\0b', 'must not contain the NUL character'],
    ['/\ud800', 'must be valid Unicode'],
    ['/\udc00x', 'must be valid Unicode'],
    ['/\udc00\ud800', 'must be valid Unicode'],
  ])('rejects %j', (name, message) => {
    expect(issuesOf(RoomName, name)).toContain(`: ${message}`);
  });

  test('returns any allowed text unchanged and rejects all other text', () => {
    const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => `/${String.fromCharCode(...units)}`);
    fc.assert(
      fc.property(anyText, (name) => {
        const isAllowed = name.isWellFormed() && !name.includes('\0') && Buffer.byteLength(name) <= 512;
        if (isAllowed) expect(taken(RoomName, name)).toBe(name);
        else expect(issuesOf(RoomName, name)).not.toEqual([]);
      }),
    );
  });
});

describe('queryInteger', () => {
  const OneToHundred = queryInteger(1, 100);

  test.each([
    ['1', 1],
    ['42', 42],
    ['100', 100],
    ['007', 7],
  ])('reads %j as %d', (text, value) => {
    expect(taken(OneToHundred, text)).toBe(value);
  });

  test.each([
    '-1',
    '0',
    '101',
    '1.5',
    '10abc',
    '1e3',
    '1e1',
    '0x10',
    ' 5',
    '5 ',
    '+5',
    '5\n',
    '',
    'NaN',
    'Infinity',
    '٣',
    '1,2',
    '9'.repeat(40),
    '18446744073709551617',
  ])('rejects %j', (text) => {
    expect(issuesOf(OneToHundred, text)).toEqual([': must be a whole number from 1 to 100']);
  });
});

describe('OrganizationId', () => {
  test('accepts 1 to 64 letters, digits, underscores or hyphens', () => {
    fc.assert(fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/), (id) => taken(OrganizationId, id) === id));
  });

  test.each(['', ' ', 'a b', '[a b]', 'a.b', 'a#b', 'a/b', 'é', 'a\n', 7, null, { id: 'a' }])('rejects %j', (id) => {
    expect(issuesOf(OrganizationId, id)).toHaveLength(1);
  });

  test('rejects 65 characters', () => {
    expect(issuesOf(OrganizationId, 'a'.repeat(65))).toHaveLength(1);
  });
});
