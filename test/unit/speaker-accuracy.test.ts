import { describe, expect, test } from 'vitest';
import { shareOf, speakerAccuracy, type WordOf } from '../support/transcriptions/speaker-accuracy.ts';

const said = [
  ...words('ada', 0, 'good morning and thank you'),
  ...words('ben', 10, 'the first question is the last'),
  ...words('ada', 12, 'yes I agree'),
];

describe('the accuracy of speakers', () => {
  test('is full for the words of the script', () => {
    const { overall, alone, found, largestDifferenceSeconds } = speakerAccuracy(said, said);

    expect([shareOf(overall), shareOf(alone), shareOf(found), largestDifferenceSeconds]).toEqual([1, 1, 1, 0]);
    expect(alone.words).toBeLessThan(overall.words);
  });

  test('counts a misheard word for the person who spoke', () => {
    const heard = said.map((word) => (word.text === 'morning' ? { ...word, text: 'mourning' } : word));
    const { overall, found } = speakerAccuracy(said, heard);

    expect(overall).toEqual({ words: said.length, right: said.length });
    expect(found).toEqual({ words: said.length, right: said.length - 1 });
  });

  test('falls when two people are swapped', () => {
    const heard = said.map((word) => ({ ...word, person: word.person === 'ada' ? 'ben' : 'ada' }));
    const { overall, alone, found } = speakerAccuracy(said, heard);

    expect([overall.right, alone.right, found.right]).toEqual([0, 0, 0]);
  });

  test('falls by one word of another person, also where both speak', () => {
    const heard = said.map((word) => (word.text === 'agree' ? { ...word, person: 'ben' } : word));

    expect(speakerAccuracy(said, heard).overall.right).toBe(said.length - 1);
  });

  test('does not count a word where nobody spoke as right', () => {
    const invented = words('ada', 30, 'hello');

    expect(speakerAccuracy(said, [...said, ...invented]).alone).toMatchObject({ right: 8, words: 9 });
  });

  test('shows the largest difference of a time', () => {
    const heard = said.map((word) => (word.text === 'thank' ? { ...word, endSeconds: word.endSeconds + 0.4 } : word));

    expect(speakerAccuracy(said, heard).largestDifferenceSeconds).toBeCloseTo(0.4);
  });

  test('shows nothing without words', () => {
    expect(shareOf(speakerAccuracy(said, []).overall)).toBe(0);
  });
});

/** Words of half a second, without pauses. */
function words(person: string, at: number, text: string): WordOf[] {
  return text.split(' ').map((word, index) => ({
    ...{ person, text: word },
    ...{ startSeconds: at + index / 2, endSeconds: at + index / 2 + 0.5 },
  }));
}
