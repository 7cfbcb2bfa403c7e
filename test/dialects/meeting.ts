import { createRandom } from '#tools/simulation/random.ts';

/** Somebody who takes part in a meeting. */
export type Person = { readonly id: string; readonly name: string; readonly isHost: boolean };

/** One stay of a person: from a join to a leave. `number` tells the stays of a meeting apart. */
export type Stay = { readonly number: number; readonly person: Person; readonly from: string; readonly to: string };

/** What nobody hears of, because the platform's webhook is lost: the start of the session, or the join or the leave of a stay. */
export type Lost = 'start' | `join ${number}` | `leave ${number}`;

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

/**
 * Makes up a meeting of three people, of whom one joins again, and of a recorder. With most seeds, a leave, a join or the start of
 * the session is lost.
 */
export function meetingOf(seed: number): Meeting {
  const random = createRandom('dialects', seed);
  let now = Date.parse('2026-03-02T09:00:00.000Z') + random.integer(0, 3600) * 1000;
  const next = () => {
    now += random.integer(stepSeconds.from, stepSeconds.to) * 1000;
    return new Date(now).toISOString();
  };
  const createdAt = new Date(now).toISOString();
  const again = random.integer(0, 2);
  const joins = people.map((person) => ({ person, from: next() }));
  const recordedFrom = next();
  const left = next();
  const rejoined = next();
  const recordedTo = next();
  const stays = [
    ...joins.map(({ person, from }, index) => ({ person, from, to: index === again ? left : next() })),
    { person: people[again] as Person, from: rejoined, to: next() },
  ];
  const numbered = stays.map((stay, number) => ({ number, ...stay }));
  const lost: readonly Lost[] = random.pick([
    [],
    ['start'],
    [`leave ${random.integer(0, 3)}`],
    [`join ${random.integer(0, 3)}`],
    ['start', `leave ${random.integer(0, 3)}`],
  ]);
  return {
    ...{ seed, room: `meeting-${seed}`, createdAt, stays: numbered },
    recorder: { from: recordedFrom, to: recordedTo },
    lost: new Set(lost),
  };
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
