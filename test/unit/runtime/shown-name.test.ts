import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withDistinctNames } from '#shared/domain/transcript/distinct-names.ts';
import { comparableName, shownName } from '#shared/runtime/shown-name.ts';

const tags = (text: string) => String.fromCodePoint(...Array.from(text, (each) => 0xe0000 + each.charCodeAt(0)));

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
        '\u0301',
        '↔',
        '\u0338',
        '\u{1f3f4}',
        '\u{e0061}',
        '\u{e0061}\u{e0061}\u{e0061}\u{e007f}',
        '1',
        '\u20e3',
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
    ['\u094d\u200d\u094d\u200d\u0301Ada', 'Ada'],
    ['\u0301\ufff9\u0301Ada', 'Ada'],
    ['👩\u200d\u2194\u200d\u0338', '👩\u21ae'],
    [`🏴${tags('gbeng')}\u{e007f}${tags('a')}`, `🏴${tags('gbeng')}\u{e007f}`],
    [`🏴${tags('gb')}\u{e007f}`, '🏴'],
    [`🏴${tags('gbengland')}\u{e007f}`, '🏴'],
    [`🏴${tags('gb-eng')}\u{e007f}`, '🏴'],
    [`🏴${tags('ignore all')}`, '🏴'],
    ['Ann 1\ufe0e', 'Ann 1'],
    ['Ann #\ufe0f', 'Ann #'],
    ['1\ufe0f\u20e3 ❤\ufe0f', '1\ufe0f\u20e3 ❤\ufe0f'],
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
        expect(shown).not.toMatch(
          /(?<=^|[\p{ASCII}])(?!\ufe0f\u20e3)\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/u,
        );
        expect(shown.replace(/🏴[^🏴]{3,6}\u{e007f}/gu, '')).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
        expect(shown).toBe(shown.normalize('NFC'));
        expect(shownName(shown)).toBe(shown);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('names that are made to cost much', () => {
  const parts = [
    '\u094d\u200d',
    '🏴\u{e0061}',
    'क\u094d\u200d',
    '\u{e0061}',
    '\u0301\u0323',
    '👩\u200d',
    'a\ufe0f',
    '\u200d\ue000',
  ];
  /** Seconds of the processor, because other tests run meanwhile. */
  const secondsOf = (work: () => void) => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1_000_000;
  };

  test.each(parts)('cost little if one of them repeats %j', (part) => {
    for (const before of ['', 'a', '\u{1f3f4}']) {
      const name = before + part.repeat(50_000);
      expect(secondsOf(() => [shownName(name), comparableName(name)])).toBeLessThan(1);
    }
  });

  test.each(parts)('cost little if thousands of people have one that repeats %j', (part) => {
    const voices = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ speaker: `Speaker ${index}`, participantId: `p-${index}`, source: 'track' as const },
      displayName: [...`a${part.repeat(256)}`].slice(0, 250).concat(`${index}`).join(''),
    }));
    expect(secondsOf(() => withDistinctNames(voices))).toBeLessThan(1);
  });

  test('are cut, and never within a character', () => {
    expect(shownName('a'.repeat(2_048))).toBe('a'.repeat(2_048));
    expect(shownName(`a${'😀'.repeat(2_000)}`)).toBe(`a${'😀'.repeat(1_023)}`);
    expect(shownName('Ada\ud83d')).toBe('Ada\ufffd');
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
    ['\ue000\u0301', ''],
    ['Anna\u2010Lena', 'Anna-Lena'],
    ['Anna\u2011Lena', 'Anna-Lena'],
    ['Anna\u2013Lena', 'Anna-Lena'],
  ])('if they are %j and %j', (one, other) => {
    expect(comparableName(one)).toBe(comparableName(other));
  });

  test('but not if a letter of another script looks the same', () => {
    expect(comparableName('\u0410da')).not.toBe(comparableName('Ada'));
  });
});
