import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Webhook } from './dialect.ts';
import { lastLeaveOf, later, type Meeting, meetingOf } from './meeting.ts';
import { daily } from './platforms/daily.ts';
import { jitsi } from './platforms/jitsi.ts';
import { whereby } from './platforms/whereby.ts';
import { type Connected, connect, differenceFrom, post, untilHandled } from './play.ts';

// A room is used again five seconds after its session, whose end is late or lost. The webhooks of the next session come in any order, joins
// before their start. Where webhooks name no session, everybody is still in the right one.

const count = Number(process.env.DIALECT_MEETINGS ?? 4);
const firstSeed = Number(process.env.DIALECT_SEED ?? Math.floor(Math.random() * 900_000_000));

const dialects: Readonly<Record<string, Dialect>> = {
  daily,
  whereby,
  'jitsi without the ids of meetings': jitsi({ hasMeetingId: false }),
};

type Reuse = { readonly first: Meeting; readonly next: Meeting; readonly isEndLost: boolean };

/** Two meetings in one room. The end of the first one is lost with every other seed, and late with the others. */
function reuseOf(seed: number): Reuse {
  const isEndLost = seed % 2 === 0;
  const first: Meeting = { ...meetingOf(seed), room: `reuse-${seed}`, lost: new Set(isEndLost ? ['end'] : []) };
  const other = meetingOf(seed + 2_000_000_000); // of no other meeting, because ids follow from it
  const seconds = (Date.parse(lastLeaveOf(first)) - Date.parse(other.createdAt)) / 1000 + 5;
  const move = <Stay extends { readonly from: string; readonly to: string }>(stay: Stay): Stay => ({
    ...{ ...stay, from: later(stay.from, seconds), to: later(stay.to, seconds) },
  });
  const next: Meeting = {
    ...{ ...other, room: first.room, createdAt: later(other.createdAt, seconds), lost: new Set() },
    ...{ stays: other.stays.map(move), recorder: move(other.recorder) },
  };
  return { first, next, isEndLost };
}

const reuses = Array.from({ length: count }, (_, index) => reuseOf(firstSeed + index));
const meetings = reuses.flatMap(({ first, next }) => [first, next]);
const connected = new Map<Dialect, Connected>();

/** Posts all of the first meeting but its end, then the next one in any order, then the end if it is not lost. */
async function playAgain({ dialect, target }: Connected, { first, next, isEndLost }: Reuse): Promise<void> {
  const random = createRandom('reuse', first.seed);
  const send = async (webhooks: readonly Webhook[]) => {
    for (const webhook of webhooks) await post(target, webhook);
  };
  const all = await dialect.webhooks(first, target);
  const isEnd = ({ tells }: Webhook) => tells === 'end';
  await send(random.shuffled(all.filter((webhook) => !isEnd(webhook))));
  await send(random.shuffled(await dialect.webhooks(next, target)));
  if (!isEndLost) await send(all.filter(isEnd));
}

beforeAll(async () => {
  await Promise.all(
    Object.values(dialects).map(async (dialect) => {
      const one = await connect(dialect);
      connected.set(dialect, one);
      for (const reuse of reuses) await playAgain(one, reuse);
    }),
  );
  await untilHandled();
}, 3_600_000);

describe.each(Object.entries(dialects))(`%s, seeds ${firstSeed} to ${firstSeed + count - 1}`, (_, dialect) => {
  it('tells of a room that is used again the same as events of our own', async () => {
    const organizationId = connected.get(dialect)?.organizationId ?? '';
    expect(await differenceFrom(dialect, organizationId, meetings)).toBeUndefined();
  });
});
