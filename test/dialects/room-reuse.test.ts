import { beforeAll, describe, expect, it } from 'vitest';
import type { Dialect } from './dialect.ts';
import { type Connected, connect, differenceFrom, post, untilHandled } from './play.ts';
import { arrivingAgain, dialectsWithoutSessions, reuseOf } from './reuse.ts';

const count = Number(process.env.DIALECT_MEETINGS ?? 4);
const firstSeed = Number(process.env.DIALECT_SEED ?? Math.floor(Math.random() * 900_000_000));
const reuses = Array.from({ length: count }, (_, index) => reuseOf(firstSeed + index));
const meetings = reuses.flatMap(({ first, next }) => [first, next]);
const connected = new Map<Dialect, Connected>();

beforeAll(async () => {
  await Promise.all(
    Object.values(dialectsWithoutSessions).map(async (dialect) => {
      const one = await connect(dialect);
      connected.set(dialect, one);
      for (const reuse of reuses)
        for (const webhook of await arrivingAgain(dialect, reuse, one.target)) await post(one.target, webhook);
    }),
  );
  await untilHandled();
}, 3_600_000);

describe.each(Object.entries(dialectsWithoutSessions))(
  `%s, seeds ${firstSeed} to ${firstSeed + count - 1}`,
  (_, dialect) => {
    it('tells of a room that is used again the same as events of our own', async () => {
      const organizationId = connected.get(dialect)?.organizationId ?? '';
      expect(await differenceFrom(dialect, organizationId, meetings)).toBeUndefined();
    });
  },
);
