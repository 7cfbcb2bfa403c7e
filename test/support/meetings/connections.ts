import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import type { Random } from '#tools/simulation/random.ts';
import type { Heard } from './feed.ts';
import { between, type Trait } from './turns.ts';

/** When people were in the room, on its clock: at least while they spoke. Some come late, leave early, or come twice. */
export function connectionsOf(random: Random, { turns, people, end }: Heard, trait: Trait): ParticipantSpan[] {
  const isFixed = !trait('come and go', 0.4);
  return people.flatMap((participantId): ParticipantSpan[] => {
    const own = turns.filter(({ microphone }) => microphone === participantId);
    const first = own[0]?.from ?? between(random, 0, end);
    const last = Math.max(first, ...own.map(({ to }) => to));
    const from = isFixed ? between(random, -300, 0) : between(random, Math.min(first, 0), first);
    const to = isFixed ? end + between(random, 0, 60) : between(random, last, Math.max(last, end));
    const [before, after] = gapBetween(own) ?? [];
    if (isFixed || before === undefined || after === undefined || random.chance(0.5))
      return [{ participantId, from, to }];
    return [
      { participantId, from, to: before },
      { participantId, from: after, to },
    ];
  });
}

/** The end of a turn and the start of the next one of the same person, with the longest pause between. */
function gapBetween(own: Heard['turns']): readonly [number, number] | undefined {
  const gaps = own.slice(1).map(({ from }, index) => [own[index]?.to ?? from, from] as const);
  return gaps.toSorted((one, other) => other[1] - other[0] - (one[1] - one[0]))[0];
}
