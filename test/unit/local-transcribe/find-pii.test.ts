import { expect, test } from 'vitest';
import { findPii } from '#tools/local/transcribe/transcript/find-pii.ts';

const find = (text: string, ...types: Parameters<typeof findPii>[1][number][]) => findPii(text.split(' '), types);

test('a number of three or more digits is personal data, with the asked type that usually has its length', () => {
  const phone = 'call five five five one two three four today';
  expect(find(phone, 'ALL')).toEqual([{ from: 1, to: 8, type: 'PHONE' }]);
  expect(find(phone, 'PIN')).toEqual([{ from: 1, to: 8, type: 'PIN' }]);
  expect(find('one two three', 'ALL')).toEqual([{ from: 0, to: 3, type: 'CREDIT_DEBIT_CVV' }]);
  expect(find('one two three four', 'SSN', 'PIN')).toEqual([{ from: 0, to: 4, type: 'PIN' }]);
  expect(find('nine oh one two three four five six seven', 'ALL')).toMatchObject([{ type: 'SSN' }]);
  expect(find('one two of us', 'ALL')).toEqual([]);
});

test('a word that sounds like a digit is one between two digits only', () => {
  expect(find('for five to six seven too', 'ALL')).toEqual([{ from: 1, to: 5, type: 'PIN' }]);
});

test('a first name of the list is personal data, and every number and name in an utterance is found', () => {
  expect(find('John and Mary dial one two three', 'NAME', 'PIN')).toEqual([
    { from: 0, to: 1, type: 'NAME' },
    { from: 2, to: 3, type: 'NAME' },
    { from: 4, to: 7, type: 'PIN' },
  ]);
});

test('nothing is found of types that were not asked for, or that this machine cannot find', () => {
  expect(find('john dials one two three four', 'ADDRESS', 'EMAIL')).toEqual([]);
  expect(find('john dials one two three four', 'PHONE')).toMatchObject([{ type: 'PHONE' }]);
});
