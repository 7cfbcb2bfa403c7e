import { createHash } from 'node:crypto';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** A random generator that repeats its values for the same seed. */
export type Random = {
  /** A whole number between two bounds, both included. */
  readonly integer: (from: number, to: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  readonly shuffled: <Item>(items: readonly Item[]) => Item[];
  /** A UUID in the form of version 4. */
  readonly uuid: () => string;
};

const million = 1_000_000;

/** Creates a generator seeded by names, such as a seed and an organization. Other names give other ids. */
export function createRandom(...names: readonly (string | number)[]): Random {
  const digest = createHash('sha256').update(JSON.stringify(names)).digest();
  const generator = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => digest.readInt32BE(offset)));
  const integer = (from: number, to: number) => uniformInt(generator, from, to);
  return {
    integer,
    chance: (probability) => integer(0, million - 1) < probability * million,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    shuffled: (items) => {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = integer(0, last);
        [shuffled[last], shuffled[other]] = [shuffled[other] as never, shuffled[last] as never]; // both exist
      }
      return shuffled;
    },
    uuid: () => {
      const hex = [0, 0, 0, 0].map(() => (generator.next() >>> 0).toString(16).padStart(8, '0')).join('');
      const variant = '89ab'[generator.next() & 3];
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
  };
}
