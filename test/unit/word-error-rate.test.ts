import { expect, test } from 'vitest';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';

test.each([
  ['Good morning, everyone.', 'good morning everyone', 0],
  ['one two three four', 'one two tree four', 0.25],
  ['one two three four', 'one three four', 0.25],
  ['one two', 'one and two', 0.5],
  ['one two', '', 1],
  ['', '', 0],
  ['', 'one', 1],
  ['one', 'two three', 2],
])('the word error rate of reference %j and hypothesis %j is %d', (reference, hypothesis, rate) => {
  expect(wordErrorRate(reference, hypothesis)).toBe(rate);
});
