import { expect, test } from 'vitest';
import { placesOf } from '#tools/local/lambda/places.ts';

test.each([
  ['a short function has all its places', { most: 10, timeout: 60, processors: 2 }, 10],
  ['a short one that mostly waits has as many as this machine bears', { most: 50, timeout: 60, processors: 2 }, 16],
  ['a long one leaves a processor free', { most: 10, timeout: 900, processors: 4 }, 3],
  ['a long one has a place on one processor', { most: 10, timeout: 900, processors: 1 }, 1],
  ['a long one has no more than its event source allows', { most: 2, timeout: 61, processors: 8 }, 2],
])('%s', (_name, { most, timeout, processors }, expected) => {
  expect(placesOf(most, timeout, processors)).toBe(expected);
});
