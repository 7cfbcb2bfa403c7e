import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Target, Webhook } from './dialect.ts';
import { lastLeaveOf, later, type Meeting, meetingOf } from './meeting.ts';
import { daily } from './platforms/daily.ts';
import { jitsi } from './platforms/jitsi.ts';
import { whereby } from './platforms/whereby.ts';

// A room is used again five seconds after its session, whose end is late or lost. The webhooks of the next session come in any order, joins
// before their start. Where webhooks name no session, everybody is still in the right one.

/** The dialects whose webhooks name a room and a time instead of a session. */
export const dialectsWithoutSessions: Readonly<Record<string, Dialect>> = {
  daily,
  whereby,
  'jitsi without the ids of meetings': jitsi({ hasMeetingId: false }),
};

/** Two meetings in one room. The end of the first one is lost with every other seed, and late with the others. */
export type Reuse = { readonly first: Meeting; readonly next: Meeting; readonly isEndLost: boolean };

/** Makes up two meetings in one room. */
export function reuseOf(seed: number): Reuse {
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

/** All webhooks of the first meeting but its end, in any order, then those of the next one, and then the end if it is not lost. */
export async function arrivingAgain(
  dialect: Dialect,
  { first, next, isEndLost }: Reuse,
  target: Target,
): Promise<readonly Webhook[]> {
  const random = createRandom('reuse', first.seed);
  const all = await dialect.webhooks(first, target);
  const isEnd = ({ tells }: Webhook) => tells === 'end';
  const before = random.shuffled(all.filter((webhook) => !isEnd(webhook)));
  const after = random.shuffled(await dialect.webhooks(next, target));
  return [...before, ...after, ...(isEndLost ? [] : all.filter(isEnd))];
}
