import { expect, it } from 'vitest';
import { listDifference, valueDifference } from '#tools/simulation/difference.ts';

type Room = { readonly name: string; readonly minutes: number };
const nameOf = ({ name }: Room) => name;
const [a, b]: Room[] = [
  { name: 'a', minutes: 1 },
  { name: 'b', minutes: 2 },
] as [Room, Room];

it.each<[string, Room[], string | undefined]>([
  ['no difference for the same elements in any order', [b, a], undefined],
  ['a missing element', [b], 'room a is missing'],
  ['a repeated element', [a, b, a], 'room a occurs 2 times and must occur once'],
  ['an extra element', [a, b, { name: 'c', minutes: 3 }], 'room c must not exist'],
  ['an element with a different value', [a, { name: 'b', minutes: 3 }], 'room b: minutes is 3 and must be 2'],
])('listDifference reports %s', (_, actual, difference) => {
  expect(listDifference('room', nameOf, [a, b], actual)).toBe(difference);
});

const [small, large] = [a, { ...a, minutes: 9 }];

it.each<[string, Room[], string | undefined]>([
  ['no difference for the same elements in any order', [large, small], undefined],
  ['a different number of elements', [small], 'room a occurs once and must occur 2 times'],
  ['an element with a different value', [small, small], 'room a: minutes is 1 and must be 9'],
])('listDifference, if two elements have the same key, reports %s', (_, actual, difference) => {
  expect(listDifference('room', nameOf, [small, large], actual)).toBe(difference);
});

it.each<[unknown, unknown, string | undefined]>([
  [{ samples: [1, null] }, { samples: [1, null] }, undefined],
  [{ samples: [1, null] }, { samples: [1, 2] }, 'samples.1 is 2 and must be null'],
  [{ samples: [1] }, { samples: [1, 2] }, 'samples.1 is 2 and must be undefined'],
  [[], [{}], '0 is {} and must be undefined'],
  [{ leftAt: null }, {}, 'leftAt is undefined and must be null'],
  [1, 2, 'it is 2 and must be 1'],
  [{}, [], 'it has the wrong type'],
])('valueDifference between %j and %j is %j', (expected, actual, difference) => {
  expect(valueDifference(expected, actual)).toBe(difference);
});
