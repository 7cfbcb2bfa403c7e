import { describe, expect, test } from 'vitest';
import { markedName } from '../../../../console/parts/name-text.tsx';

describe('markedName', () => {
  test.each([
    '\u0000',
    '\u007f',
    '\u00ad',
    '\u061c',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u202e',
    '\u2060',
    '\u2064',
    '\u2066',
    '\ufeff',
  ])('shows a mark in place of %j, which nobody sees', (invisible) => {
    expect(markedName(`Ada${invisible} L`)).toBe('Ada\ufffd L');
    expect(markedName(`${invisible}Ada`)).toBe('\ufffdAda');
    expect(markedName(`Ada${invisible}`)).toBe('Ada\ufffd');
  });

  test.each([
    ['Persian', 'علی\u200cرضا'],
    ['Persian with a vowel sign', 'خانهِ\u200cما'],
    ['Hindi', 'क्\u200dष'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Malayalam, at the end of a word', 'മോഹന്\u200d'],
    ['a family', '👩\u200d👩\u200d👧'],
    ['a skin tone', '👩🏽\u200d🚀'],
    ['a flag', '🏳\ufe0f\u200d🌈'],
    ['a flag with tags', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a keycap', '1\ufe0f\u20e3'],
  ])('leaves what changes the look of %s', (_, name) => {
    expect(markedName(name)).toBe(name);
  });

  test.each([
    ['at the end of an Arabic word', 'علي\u200d', 'علي\ufffd'],
    ['between an Arabic and a Latin letter', 'ي\u200ca', 'ي\ufffda'],
    ['after an emoji', '🚀\u200d', '🚀\ufffd'],
    ['twice between emoji', '👩\u200d\u200d🚀', '👩\ufffd\ufffd🚀'],
    ['twice between letters', 'क\u200d\u200dष', 'क\ufffd\ufffdष'],
    ['that is a variant of a digit', 'Ann 1\ufe0f', 'Ann 1\ufffd'],
    ['that is a tag of no flag', '🏴\u{e0068}\u{e0069}', '🏴\ufffd\ufffd'],
  ])('shows a mark in place of a character %s', (_, name, shown) => {
    expect(markedName(name)).toBe(shown);
  });

  test('leaves names with accents, and in every direction', () => {
    for (const name of ['/Zoë', '/مرحبا/שלום/會議', 'e\u0301', 'O’Neill']) expect(markedName(name)).toBe(name);
  });
});
