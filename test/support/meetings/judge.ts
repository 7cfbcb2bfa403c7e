import type { NamedSpeaker } from '#shared/domain/name-by-presence.ts';
import type { SeededMeeting } from './seeded-meeting.ts';

/** How names compare with the truth. Words are counted, not speakers: who says little matters little. */
export type Judgement = {
  /** Speakers who have the name of somebody who said less than half of their words. */
  readonly wrong: readonly string[];
  readonly named: number;
  readonly unnamed: number;
  readonly words: number;
  readonly unnamedWords: number;
  /** Words of somebody else under a name. */
  readonly strayWords: number;
};

/** Compares the names of a meeting's speakers with who spoke in truth. */
export function judge({ items, saidBy }: SeededMeeting, names: ReadonlyMap<string, NamedSpeaker | null>): Judgement {
  const judged = [...Map.groupBy(items, ({ speaker }) => speaker)].map(([speaker, said]) => {
    const participantId = names.get(speaker)?.participantId;
    const own = said.filter((item) => saidBy.get(item) === participantId).length;
    return { speaker, isNamed: participantId !== undefined, words: said.length, own };
  });
  const named = judged.filter(({ isNamed }) => isNamed);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const words = sum(judged.map((each) => each.words));
  return {
    wrong: named.filter((each) => each.own < each.words / 2).map(({ speaker }) => speaker),
    named: named.length,
    unnamed: judged.length - named.length,
    words,
    unnamedWords: words - sum(named.map((each) => each.words)),
    strayWords: sum(named.map((each) => each.words - each.own)),
  };
}
