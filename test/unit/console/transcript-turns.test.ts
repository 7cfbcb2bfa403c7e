import { describe, expect, test } from 'vitest';
import {
  findMatches,
  heardTurn,
  matchBeside,
  matchFrom,
  momentOf,
  mostMatches,
  partsOf,
  turnAt,
} from '../../../console/views/transcript/turns.ts';

const turn = (startSeconds: number, text: string, endSeconds = startSeconds + 5) => ({
  speaker: 'Speaker 1',
  startSeconds,
  endSeconds,
  text,
});
const turns = [turn(0, 'Money, money.'), turn(10, 'Nothing here.'), turn(20, 'More  money (a lot)?')];

describe('find in a transcript', () => {
  test('finds every match in the order of the turns, whatever its case', () => {
    expect(findMatches(turns, 'money')).toEqual({
      turns: [0, 0, 2],
      starts: [0, 7, 6],
      ends: [5, 12, 11],
      areMore: false,
    });
  });

  test('takes signs of patterns as what they are', () => {
    expect(findMatches(turns, '(a lot)?').turns).toEqual([2]);
    expect(findMatches(turns, '.*').turns).toEqual([]);
  });

  test('takes any white space for any other', () => {
    expect(findMatches(turns, ' more money ').turns).toEqual([2]);
  });

  test('finds nothing for an empty text', () => {
    expect(findMatches(turns, '  ').turns).toEqual([]);
  });

  test('stops counting at the limit', () => {
    const { turns: found, areMore } = findMatches([turn(0, 'a'.repeat(mostMatches + 1))], 'a');
    expect({ count: found.length, areMore }).toEqual({ count: mostMatches, areMore: true });
  });

  test('cuts a text into matches and what is between them', () => {
    const matches = findMatches(turns, 'money');
    expect(partsOf('Money, money.', 0, matches)).toEqual([
      { text: 'Money', match: 0 },
      { text: ', ' },
      { text: 'money', match: 1 },
      { text: '.' },
    ]);
    expect(partsOf('Nothing here.', 1, matches)).toEqual([{ text: 'Nothing here.' }]);
  });

  test('begins with the first match from a turn on, and goes around at the ends', () => {
    const matches = findMatches(turns, 'money');
    expect([matchFrom(matches, 1), matchFrom(matches, 3)]).toEqual([2, 0]);
    expect([matchBeside(matches, 2, 1), matchBeside(matches, 0, -1)]).toEqual([0, 2]);
    expect(matchBeside(findMatches(turns, 'none'), 0, 1)).toBe(0);
  });
});

describe('moments of a transcript', () => {
  test('belong to the latest turn that has begun', () => {
    expect([0, 9.9, 10, 100].map((seconds) => turnAt(turns, seconds))).toEqual([0, 0, 1, 2]);
    expect(turnAt([], 5)).toBe(-1);
    expect(turnAt([turn(5, 'late')], 1)).toBe(0);
  });

  test('are heard in the turn that goes on, also if a later one has ended', () => {
    const overlapping = [turn(0, 'long', 60), turn(10, 'short', 12)];
    expect([5, 11, 30, 61].map((seconds) => heardTurn(overlapping, seconds))).toEqual([0, 1, 0, -1]);
  });

  test('are numbers of seconds in an address', () => {
    expect(['12.5', '0', '', '-1', 'x', undefined].map(momentOf)).toEqual([
      12.5,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
