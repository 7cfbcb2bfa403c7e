import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { Random } from '#tools/simulation/random.ts';
import { between, type Trait, type Turn } from './turns.ts';

/** What a recognizer hears, and the turn of each word in truth. */
export type Recognized = { readonly items: SpokenItem[]; readonly turnOf: Map<SpokenItem, Turn> };

const wordSeconds = 0.4;

/** The words of turns, on the recording's clock. The recognizer may take two people for one, one for two, and confuse words. */
export function recognize(
  random: Random,
  turns: readonly Turn[],
  trait: Trait,
  recorded: (time: number) => number | undefined,
): Recognized {
  const labelOf = labels(random, [...new Set(turns.map(({ person }) => person))], trait);
  const confusion = trait('confused words', 0.5) ? between(random, 0, 0.03) : 0;
  const lateTurns = trait('late turns', 0.3) ? 0.2 : 0;
  const pauses = trait('pauses', 0.4) ? 0.03 : 0;
  const turnOf = new Map<SpokenItem, Turn>();
  let lastLabel = 's0';
  for (const turn of turns) {
    const label = labelOf(turn);
    const others = random.chance(lateTurns) ? random.integer(1, 3) : 0;
    let count = 0;
    for (let time = turn.from; time + 0.3 <= turn.to; time += wordSeconds, count += 1) {
      if (random.chance(pauses)) time += between(random, 0.3, 2.5);
      const startSeconds = recorded(time);
      if (time + 0.3 > turn.to || startSeconds === undefined) continue;
      const isConfused = count < others || random.chance(confusion);
      const speaker = isConfused ? lastLabel : label;
      turnOf.set({ kind: 'word', text: 'word', speaker, startSeconds, endSeconds: startSeconds + 0.35 }, turn);
    }
    lastLabel = label;
  }
  return { items: [...turnOf.keys()], turnOf };
}

function labels(random: Random, people: readonly string[], trait: Trait): (turn: Turn) => string {
  const labelOf = new Map(people.map((person, index) => [person, `s${index + 1}`]));
  const mergedShare = random.pick([1, 1, 0.7, 0.4]);
  const [one, other] = random.shuffled(people);
  const isMerged = one !== undefined && other !== undefined && trait('merged', 0.2);
  const [divided] = random.shuffled(people);
  const isSplit = trait('split', 0.2);
  const splitAt = random.chance(0.5) ? between(random, 0, 1800) : undefined;
  return ({ person, from }) => {
    if (isMerged && person === one && random.chance(mergedShare)) return labelOf.get(other) ?? '';
    const isSecond = isSplit && person === divided && (splitAt === undefined ? random.chance(0.4) : from > splitAt);
    return `${labelOf.get(person)}${isSecond ? '-again' : ''}`;
  };
}
