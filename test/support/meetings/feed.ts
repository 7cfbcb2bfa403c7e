import type { Span } from '#shared/domain/transcript/overlaps.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import type { Random } from '#tools/simulation/random.ts';
import { between, type Trait, type Turn } from './turns.ts';

/** Turns, and everybody in the room, who need not speak. */
export type Heard = { readonly turns: readonly Turn[]; readonly people: readonly string[]; readonly end: number };

/** What a platform's detection of active speakers tells of turns, on the clock of the room, with its faults. */
export function feedOf(random: Random, heard: Heard, trait: Trait): ParticipantSpan[] {
  const { people, end } = heard;
  const missing = new Set(trait('missing people', 0.3) ? people.filter(() => random.chance(0.3)) : []);
  const lost = trait('lost intervals', 0.4) ? between(random, 0.02, 0.5) : 0;
  const outages = trait('outage', 0.2) ? [spanWithin(random, end, 0.05, 0.6)] : [];
  const isLost = ({ from, to }: Span) => outages.some((outage) => from < outage.to && to > outage.from);
  const spoken = heard.turns
    .flatMap((turn) => detected(random, turn, trait))
    .filter((span) => !isLost(span) && !random.chance(lost));
  const all = [...spoken, ...crosstalk(random, heard, trait), ...noise(random, heard, trait)];
  const known = all.filter(({ participantId }) => !missing.has(participantId));
  const alone = trait('one at a time', 0.25) ? oneAtATime(known) : [...known, ...echo(random, known, people, trait)];
  const whole = trait('whole seconds', 0.2) ? alone.map(inWholeSeconds) : alone;
  return trait('twice', 0.1) ? random.shuffled([...whole, ...whole]) : whole;
}

/** Platforms detect speech late, hold it after its end, and may cut it into pieces. */
function detected(random: Random, { microphone, from, to }: Turn, trait: Trait): ParticipantSpan[] {
  const start = from + between(random, 0, 0.8);
  const stop = to + between(random, -0.2, 1.5);
  if (stop - start < 0.3) return [];
  if (stop - start < 6 || !trait('pieces', 0.3)) return [{ participantId: microphone, from: start, to: stop }];
  const cut = between(random, start + 2, stop - 2);
  const pieces = [
    { from: start, to: cut },
    { from: cut + between(random, 0.1, 1.5), to: stop },
  ];
  return pieces.map((piece) => ({ participantId: microphone, ...piece }));
}

/** Some microphones hear others too, at most half of the time. */
function crosstalk(random: Random, { turns, people }: Heard, trait: Trait): ParticipantSpan[] {
  if (!trait('crosstalk', 0.3)) return [];
  const [ear] = random.shuffled(people);
  const [mouth] = random.shuffled(people.filter((person) => person !== ear));
  const share = between(random, 0.1, 0.5);
  return turns.flatMap(({ microphone, from, to }) =>
    ear !== undefined && microphone === mouth && random.chance(share)
      ? [{ participantId: ear, from: from + between(random, 0, 0.5), to: to + between(random, 0, 1) }]
      : [],
  );
}

/** A second device in the room hears most of what the microphone of one participant hears. */
function echo(
  random: Random,
  known: readonly ParticipantSpan[],
  people: readonly string[],
  trait: Trait,
): ParticipantSpan[] {
  if (!trait('echo', 0.15)) return [];
  const [ear, mouth] = random.shuffled(people);
  const share = between(random, 0.5, 0.95);
  return known.flatMap(({ participantId, from, to }) =>
    ear !== undefined && participantId === mouth && random.chance(share)
      ? [{ participantId: ear, from: from + between(random, 0, 0.3), to }]
      : [],
  );
}

/** Breathing is short and rare. Some microphones are on for long, with any share of the time, and whoever speaks. */
function noise(random: Random, { people, end }: Heard, trait: Trait): ParticipantSpan[] {
  const breathing = trait('breathing', 0.4) ? between(random, 2, 90) : 0;
  const breaths = people.flatMap((person) =>
    breathing === 0 ? [] : onAndOff(random, person, end, { on: [0.3, 1.2], off: [breathing / 2, breathing * 1.5] }),
  );
  if (!trait('noisy microphone', 0.25)) return breaths;
  const [loud, second] = random.shuffled(people);
  const on = random.pick([2, 10, 60]);
  const off = on * between(random, 0.05, 4);
  return [loud, ...(random.chance(0.3) ? [second] : [])].reduce(
    (all, person) =>
      person === undefined
        ? all
        : all.concat(onAndOff(random, person, end, { on: [on / 3, on * 2], off: [off / 3, off * 2] })),
    breaths,
  );
}

type Range = readonly [from: number, to: number];

function onAndOff(random: Random, participantId: string, end: number, { on, off }: { on: Range; off: Range }) {
  const spans: ParticipantSpan[] = [];
  for (let time = between(random, 0, off[1]); time < end; ) {
    const to = time + between(random, ...on);
    spans.push({ participantId, from: time, to });
    time = to + between(random, ...off);
  }
  return spans;
}

/** Some platforms tell only one at a time: who begins to speak later interrupts the others. */
function oneAtATime(feed: readonly ParticipantSpan[]): ParticipantSpan[] {
  const inOrder = feed.toSorted((one, other) => one.from - other.from);
  return inOrder.flatMap(({ participantId, from, to }, index) => {
    const pieces: ParticipantSpan[] = [];
    let since = from;
    for (let next = index + 1; since < to; next += 1) {
      const other = inOrder[next];
      const until = Math.min(to, other?.from ?? to);
      if (until > since) pieces.push({ participantId, from: since, to: until });
      since = Math.max(since, other?.to ?? to);
      if (until === to) break;
    }
    return pieces;
  });
}

function inWholeSeconds({ participantId, from, to }: ParticipantSpan): ParticipantSpan {
  return { participantId, from: Math.floor(from), to: Math.ceil(to) };
}

function spanWithin(random: Random, end: number, least: number, most: number): Span {
  const from = between(random, 0, end);
  return { from, to: from + end * between(random, least, most) };
}
