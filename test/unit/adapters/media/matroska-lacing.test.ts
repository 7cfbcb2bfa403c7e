import { expect, test } from 'vitest';
import { framesOf } from '#shared/adapters/media/containers/matroska-lacing.ts';

const frames = (flags: number, ...bytes: number[]) => framesOf(new Uint8Array(bytes), flags).map((frame) => [...frame]);
const [none, xiph, fixed, ebml] = [0x80, 0x82, 0x84, 0x86];

test.each([
  ['no lace is one frame', none, [1, 2, 3], [[1, 2, 3]]],
  ['Xiph sizes stand in bytes', xiph, [2, 1, 2, 7, 8, 8, 9, 9, 9], [[7], [8, 8], [9, 9, 9]]],
  ['a Xiph size of 255 goes on', xiph, [1, 255, 1, ...Array(256).fill(5), 6], [Array(256).fill(5), [6]]],
  [
    'fixed sizes are equal',
    fixed,
    [2, 1, 1, 2, 2, 3, 3],
    [
      [1, 1],
      [2, 2],
      [3, 3],
    ],
  ],
  ['EBML sizes are differences', ebml, [2, 0x82, 0xc0, 7, 7, 8, 8, 8, 9], [[7, 7], [8, 8, 8], [9]]],
  ['a lace that is larger than its block has no frames', xiph, [1, 200, 1, 2], []],
  ['a lace that ends in its sizes has no frames', xiph, [5, 1], []],
  ['a negative EBML size has no frames', ebml, [2, 0x81, 0x80, 1, 2], []],
])('%s', (_, flags, bytes, expected) => {
  expect(frames(flags, ...bytes)).toEqual(expected);
});
