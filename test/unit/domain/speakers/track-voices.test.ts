import { expect, test } from 'vitest';
import { voicesOfTrack } from '#shared/domain/speakers/track-voices.ts';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';

/** Words of voices, such as `9a 1b`: nine words of the voice a, one of the voice b. */
const words = (voices: string): SpokenItem[] =>
  voices.split(' ').flatMap((some) =>
    Array.from(
      { length: Number.parseInt(some, 10) },
      (): SpokenItem => ({
        ...{ kind: 'word', text: 'so', speaker: some.slice(-1), startSeconds: 0, endSeconds: 1 },
      }),
    ),
  );
const numbersOf = (parts: readonly string[], input: 'microphone' | 'screen' = 'microphone') => {
  const { parts: heard, voices } = voicesOfTrack('key', parts.map(words), input);
  return heard.map((items) => items.map(({ speaker }) => voices.get(speaker) ?? '-').join(''));
};

test('a single voice has no number, however often a file begins again', () => {
  expect(numbersOf(['3a', '2b'])).toEqual(['---', '--']);
});

test('voices with at least a tenth of the words each have numbers, the most frequent one first', () => {
  expect(numbersOf(['1b 9a'])).toEqual(['2111111111']);
});

test('a voice with less than a tenth of the words is part of the most frequent one', () => {
  expect(numbersOf(['10a 1b'])).toEqual(['-'.repeat(11)]);
  expect(numbersOf(['10a 8b 1c'])).toEqual([`${'1'.repeat(10)}${'2'.repeat(8)}1`]);
});

test('voices of two parts are not taken for the same', () => {
  expect(numbersOf(['2a 1b', '3a', '2a 2b'])).toEqual(['112', '---', '3344']);
});

test('what a screen plays is one voice', () => {
  expect(numbersOf(['2a 2b'], 'screen')).toEqual(['----']);
});
