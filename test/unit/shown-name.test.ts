import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparableName, shownName } from '#shared/shown-name.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        'A',
        'a',
        '\u0308',
        ' ',
        '\u00a0',
        '\u2800',
        '\u200b',
        '\u200d',
        '👩',
        '\ufe0f',
        'क',
        '\u094d',
        'ﬁ',
        '\ud800',
        '¨',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
);

describe('the shown name', () => {
  test.each([
    ['  Ada\t\u3000L ', 'Ada L'],
    ['Zoe\u0308', 'Zoë'],
    ['A\u200b\u00ad\ufeff\u202e\u2060da\0', 'Ada'],
    ['\u0301Ada', 'Ada'],
    ['A \u200b B', 'A B'],
    ['\u2028Ada\u2029\nL', 'Ada L'],
    ['a\ufe0f\u200d', 'a'],
    ['\ud800', '\ufffd'],
  ])('of %j is %j', (name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  test.each([
    ...[
      '',
      ' \u00a0',
      '\u3164',
      '\u115f\u1160',
      '\u2800',
      '\uffa0',
      '\u034f',
      '\u180e',
      '\u17b4',
      '\u{e0041}',
      '\u{1d173}',
    ],
    ...['\ufe0f', '\u0301', '\ue000', '\u{10ffff}', '\u{16fe4}', '\u{13441}', '\u{1d159}', '\ufffc'],
  ])('of %j is empty', (name) => {
    expect(shownName(name)).toBe('');
  });

  test('shows nothing that Unicode says may be ignored, but what changes its neighbours', () => {
    fc.assert(
      fc.property(texts, (name) => {
        const shown = shownName(name);
        expect(shown).not.toMatch(/^\s|\s$|\s\s|[^\S ]|\p{Cc}|\p{Noncharacter_Code_Point}/u);
        expect(shown).not.toMatch(/(?<=^|[\p{ASCII}])\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/u);
        expect(shown).toBe(shown.normalize('NFC'));
        expect(shownName(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('two names compare alike', () => {
  test('if they show the same, also with a number', () => {
    fc.assert(
      fc.property(texts, (name) => {
        expect(comparableName(shownName(name))).toBe(comparableName(name));
        if (shownName(name) !== '')
          expect(comparableName(`${shownName(name)} (2)`)).toBe(`${comparableName(name)} (2)`);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['ada', 'ADA'],
    ['Straße', 'STRASSE'],
    ['ΑΣ', 'ας'],
    ['ﬁn', 'FIN'],
    ['Ａda', 'Ada'],
    ['❤', '❤\ufe0f'],
    ['Ada\ue000', 'Ada'],
  ])('if they are %j and %j', (one, other) => {
    expect(comparableName(one)).toBe(comparableName(other));
  });

  test('but not if a letter of another script looks the same', () => {
    expect(comparableName('\u0410da')).not.toBe(comparableName('Ada'));
  });
});
