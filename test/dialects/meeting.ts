import { createRandom, type Random } from '#tools/simulation/random.ts';

/** Somebody who takes part in a meeting. */
export type Person = { readonly id: string; readonly name: string; readonly isHost: boolean };

/** One stay of a person: from a join to a leave. `number` tells the stays of a meeting apart. */
export type Stay = { readonly number: number; readonly person: Person; readonly from: string; readonly to: string };

/** What nobody hears of, because the platform's webhook is lost. `recorder` is both its join and its leave. */
export type Lost = 'start' | 'end' | 'recorder' | `join ${number}` | `leave ${number}`;

/** A meeting as it really was. All times are whole seconds, because some platforms know no others. */
export type Meeting = {
  readonly seed: number;
  /** The name that platforms give the room. Insights add a slash. */
  readonly room: string;
  readonly createdAt: string;
  readonly stays: readonly Stay[];
  readonly recorder: { readonly from: string; readonly to: string };
  readonly lost: ReadonlySet<Lost>;
};

const people: readonly Person[] = [
  { id: 'ada', name: 'Ada', isHost: true },
  { id: 'bob', name: 'Bob 😀', isHost: false },
  { id: 'cleo', name: 'Cleo "C" O\u2019Neil', isHost: false },
];

/** More than the tolerance for clocks, so that no two events are within it. */
const stepSeconds = { from: 11, to: 240 } as const;
/** Rooms are created for somebody. Jitsi's translator doubts a later first join. */
const longestAlone = 60;

/**
 * Makes up a meeting of three people, of whom one joins again, and of a recorder. With most seeds, some of the webhooks of people, of the
 * start and of the end are lost.
 */
export function meetingOf(seed: number): Meeting {
  const random = createRandom('dialects', seed);
  let now = Date.parse('2026-03-02T09:00:00.000Z') + random.integer(0, 3600) * 1000;
  const next = (mostSeconds: number = stepSeconds.to) => {
    now += random.integer(stepSeconds.from, mostSeconds) * 1000;
    return new Date(now).toISOString();
  };
  const createdAt = new Date(now).toISOString();
  const again = random.integer(0, 2);
  const joins = people.map((person, index) => ({ person, from: next(index === 0 ? longestAlone : undefined) }));
  const recordedFrom = next();
  const left = next();
  const rejoined = next();
  const recordedTo = next();
  const stays = [
    ...joins.map(({ person, from }, index) => ({ person, from, to: index === again ? left : next() })),
    { person: people[again] as Person, from: rejoined, to: next() },
  ];
  const numbered = stays.map((stay, number) => ({ number, ...stay }));
  return {
    ...{ seed, room: `meeting-${seed}`, createdAt, stays: numbered },
    recorder: { from: recordedFrom, to: recordedTo },
    lost: lostOf(random, numbered),
  };
}

/** A single webhook, or each with some chance, or none. */
function lostOf(random: Random, stays: readonly Stay[]): ReadonlySet<Lost> {
  const all = webhooksOf(stays);
  if (random.chance(0.4)) return new Set([random.pick(all)]);
  const chance = random.pick([0, 0.2, 0.5]);
  return new Set(all.filter(() => random.chance(chance)));
}

function webhooksOf(stays: readonly Stay[]): readonly [Lost, ...Lost[]] {
  return ['start', 'end', ...stays.flatMap(({ number }): Lost[] => [`join ${number}`, `leave ${number}`])];
}

/** The same meeting, of which the end alone is heard. */
export function onlyTheEndOf(meeting: Meeting): Meeting {
  const lost = new Set<Lost>(['recorder', ...webhooksOf(meeting.stays)]);
  lost.delete('end');
  return { ...meeting, lost };
}

/** The losses that the page of differences names. A join and a leave are those of one stay. */
export const publishedLosses = ['start', 'join', 'leave', 'join and leave', 'end'] as const;
export type PublishedLoss = (typeof publishedLosses)[number];

/** One meeting of which nothing is lost, and again with each of the published losses, in rooms of their own. */
export function meetingsWithOneLoss(): readonly {
  readonly loss: PublishedLoss | undefined;
  readonly meeting: Meeting;
}[] {
  const meeting = meetingOf(0);
  const { number } = stayOfSomebodyOnce(meeting);
  const lost: Readonly<Record<PublishedLoss, readonly Lost[]>> = {
    ...{ start: ['start'], end: ['end'], join: [`join ${number}`], leave: [`leave ${number}`] },
    'join and leave': [`join ${number}`, `leave ${number}`],
  };
  return [undefined, ...publishedLosses].map((loss, index) => {
    const seed = 1_000_000_000 + index; // of no other meeting, because ids follow from it
    return { loss, meeting: { ...meeting, seed, room: `loss-${index}`, lost: new Set(loss ? lost[loss] : []) } };
  });
}

function stayOfSomebodyOnce({ stays }: Meeting): Stay {
  const once = stays.find(({ person }) => stays.filter((stay) => stay.person === person).length === 1);
  if (!once) throw new Error('Somebody comes once in every meeting.');
  return once;
}

/** The time of the last leave, also if its webhook is lost. */
export function lastLeaveOf({ stays }: Meeting): string {
  return (
    stays
      .map(({ to }) => to)
      .toSorted()
      .at(-1) ?? ''
  );
}

/** A time some seconds later. */
export function later(time: string, seconds: number): string {
  return new Date(Date.parse(time) + seconds * 1000).toISOString();
}
