import type { Presence } from '#shared/domain/insights/presence.ts';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import { createRandom, type Random } from '#tools/simulation/random.ts';
import { connectionsOf } from './connections.ts';
import { feedOf } from './feed.ts';
import { recognize } from './recognizer.ts';
import { between, type Style, type Turn, turnsOf } from './turns.ts';

/** A meeting as the recognizer and the platform tell it, and who said each word in truth. */
export type SeededMeeting = {
  readonly seed: number;
  readonly people: number;
  readonly lagSeconds: number;
  readonly minutes: number;
  /** What happens in it. */
  readonly traits: readonly string[];
  readonly items: readonly SpokenItem[];
  readonly feed: readonly ParticipantSpan[];
  readonly presence: Presence;
  readonly turnOf: ReadonlyMap<SpokenItem, Turn>;
};

const toleranceSeconds = 15;

/** Makes a meeting of 1 to 30 people from a seed. The feed is early or late by the bounds. */
export function seededMeeting(seed: number, lags = { from: 0, to: 15 }): SeededMeeting {
  const random = createRandom('meeting', seed);
  const traits: string[] = [];
  const trait = (name: string, probability: number) => {
    const isSo = random.chance(probability);
    if (isSo && !traits.includes(name)) traits.push(name);
    return isSo;
  };
  const count = random.pick([1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 14, 20, 30]);
  const people = Array.from({ length: count }, (_, index) => `p${index + 1}`);
  const style = random.pick<Style>(['regular', 'regular', 'shuffled', 'free', 'free', 'free', 'lecture']);
  traits.push(style);
  const minutes = random.pick([1, 2, 4, 8, 15, 30, 30, 60]);
  const end = minutes * 60;
  const turns = turnsOf(random, people, style, end, trait);
  const lagSeconds = random.pick([-1, 1, 1]) * between(random, lags.from, lags.to);
  const drift = trait('drift', 0.3) ? between(random, -0.0003, 0.0003) : 0;
  const toFeed = ({ participantId, from, to }: ParticipantSpan) => ({
    participantId,
    from: from * (1 + drift) + lagSeconds,
    to: to * (1 + drift) + lagSeconds,
  });
  const lost = trait('lost sound', 0.1) ? { at: between(random, 0, end), seconds: between(random, 1, 12) } : undefined;
  const room = { turns, people, end };
  const connections = connectionsOf(random, room, trait);
  const stale = trait('stale id', 0.06) ? staleId(random, turns, connections) : undefined;
  const feed = feedOf(random, { ...room, turns: stale ? stale.reported : turns }, trait);
  const eventError = between(random, -3, 3);
  return {
    ...{ seed, people: count, lagSeconds, minutes, traits },
    ...recognize(random, turns, trait, (time) => recordedTime(time, lost)),
    feed: feed.map(toFeed),
    presence: {
      connections: (stale ? stale.connections : connections).map(({ participantId, from, to }) => ({
        participantId,
        from: from + eventError,
        to: to + eventError,
      })),
      isObserved: true,
      toleranceSeconds,
    },
  };
}

/** A recorder that loses sound goes on without it, so what comes later is too early in the file. */
function recordedTime(
  time: number,
  lost: { readonly at: number; readonly seconds: number } | undefined,
): number | undefined {
  if (!lost || time < lost.at) return time;
  return time < lost.at + lost.seconds ? undefined : time - lost.seconds;
}

/** Somebody who was silent has left, and the platform reports another person's voice under their id. */
function staleId(random: Random, turns: readonly Turn[], connections: readonly ParticipantSpan[]) {
  const [other] = random.shuffled([...new Set(turns.map(({ microphone }) => microphone))]);
  const own = turns.filter(({ microphone }) => microphone === other);
  const first = own[0]?.from ?? 0;
  return {
    connections: [...connections, { participantId: 'left', from: -200, to: Math.min(-60, first) }],
    reported: turns.map((turn) => (turn.microphone === other ? { ...turn, microphone: 'left' } : turn)),
  };
}
