import { lengthOf, type Span } from '#shared/domain/transcript/overlaps.ts';
import type { Random } from '#tools/simulation/random.ts';

/** A turn of a person through a participant's microphone, on the clock of the room. A guest has another person's microphone. */
export type Turn = Span & { readonly person: string; readonly microphone: string };

/** Decides whether a meeting has a trait, and remembers it. */
export type Trait = (name: string, probability: number) => boolean;

/** A number between two others, with steps of a thousandth. */
export function between(random: Random, from: number, to: number): number {
  return random.integer(Math.round(from * 1000), Math.round(to * 1000)) / 1000;
}

/** How people take turns. Regular turns of one length are the hardest: a late feed fits them as well, one turn later. */
export type Style = 'regular' | 'shuffled' | 'free' | 'lecture';

/** The turns of people who meet for some seconds, in order. */
export function turnsOf(random: Random, people: readonly string[], style: Style, end: number, trait: Trait): Turn[] {
  const speaking = trait('silent', 0.3) ? people.filter((_, index) => index === 0 || random.chance(0.6)) : people;
  const nextPerson = orderOf(random, speaking, style);
  const nextLength = turnLengths(random, style);
  const gap = random.pick([0, 0.3, 1]);
  const overlaps = style === 'free' && trait('overlaps', 0.4) ? 1.5 : 0;
  const turns: Turn[] = [];
  for (let [time, index] = [between(random, 0, 10), 0]; time < end; index += 1) {
    const person = nextPerson(index);
    const to = Math.min(end, time + nextLength(person === speaking[0]));
    if (to - time >= 0.4) turns.push({ person, microphone: person, from: time, to });
    const pause = style === 'regular' || style === 'shuffled' ? gap : between(random, -overlaps, 2);
    time = Math.max(time + 0.4, to + pause);
  }
  const once = trait('once', 0.25) ? onlyOnce(random, turns, speaking) : turns;
  const answered = trait('answers', 0.2) ? withAnswers(random, once, speaking) : once;
  return trait('guest', 0.1) ? withGuest(random, answered) : answered;
}

function orderOf(random: Random, people: readonly string[], style: Style): (index: number) => string {
  const [first = '', ...others] = people;
  let last = first;
  const other = () => {
    const rest = people.filter((person) => person !== last);
    // Those who come first speak most.
    last = rest[Math.min(random.integer(0, rest.length), random.integer(0, rest.length))] ?? rest[0] ?? first;
    return last;
  };
  if (style === 'regular') return (index) => people[index % people.length] ?? first;
  if (style !== 'lecture' || others.length === 0) return other;
  return (index) => (index % 2 === 0 ? first : (others[random.integer(0, others.length - 1)] ?? first));
}

function turnLengths(random: Random, style: Style): (isFirst: boolean) => number {
  const turn = random.pick([2, 3, 5, 7, 10, 10, 15, 20, 30, 45]);
  const jitter = style === 'regular' ? random.pick([0, 0, 0.2]) : 0;
  if (style === 'lecture') return (isFirst) => (isFirst ? between(random, 20, 120) : between(random, 1, 8));
  if (style === 'free') return () => 0.8 * 60 ** (between(random, 0, 1) ** 1.3);
  return () => turn + between(random, -jitter, jitter);
}

/** Lets some people keep only one of their turns. */
function onlyOnce(random: Random, turns: readonly Turn[], people: readonly string[]): Turn[] {
  const shy = people.filter((_, index) => index > 0 && random.chance(0.5));
  return turns.filter(
    (turn) => !shy.includes(turn.person) || turn === turns.findLast(({ person }) => person === turn.person),
  );
}

/** Adds short words of others in the middle of turns. */
function withAnswers(random: Random, turns: readonly Turn[], people: readonly string[]): Turn[] {
  const answers = turns.flatMap(({ person, from, to }): Turn[] => {
    const other = people[random.integer(0, people.length - 1)] ?? person;
    if (other === person || to - from < 4 || random.chance(0.6)) return [];
    const at = between(random, from + 1, to - 2);
    return [{ person: other, microphone: other, from: at, to: at + between(random, 0.4, 1) }];
  });
  return [...turns, ...answers].toSorted((one, other) => one.from - other.from);
}

/** Gives some turns of one participant to a guest at the same microphone. Who says nearly nothing beside a guest cannot be told from them. */
function withGuest(random: Random, turns: readonly Turn[]): Turn[] {
  const host = turns[random.integer(0, turns.length - 1)]?.person;
  const share = between(random, 0.1, 0.8);
  const shared = turns.map((turn) =>
    turn.person === host && random.chance(share) ? { ...turn, person: `guest of ${host}` } : turn,
  );
  const timeOf = (person: string) => lengthOf(shared.filter((turn) => turn.person === person));
  return timeOf(`${host}`) < 0.2 * timeOf(`guest of ${host}`) ? [...turns] : shared;
}
