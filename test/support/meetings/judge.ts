import type { NamedSpeaker } from '#shared/domain/speakers/name-by-presence.ts';
import type { SeededMeeting } from './seeded-meeting.ts';

/** How names compare with the truth. Words are counted besides speakers: who says little matters little. */
export type Judgement = {
  /** Speakers with the name of a participant through whose microphone less than half of their words came. */
  readonly wrong: readonly string[];
  /** Speakers most of whose words a guest at the microphone of the named participant said. */
  readonly guests: readonly string[];
  readonly speakers: number;
  readonly unnamed: number;
  readonly words: number;
  readonly unnamedWords: number;
  /** Words under a name that came through another microphone: the recognizer has taken two people for one, or confused words. */
  readonly strayWords: number;
};

/** Compares the names of a meeting's speakers with who spoke in truth. */
export function judge(
  { items, turnOf }: Pick<SeededMeeting, 'items' | 'turnOf'>,
  names: ReadonlyMap<string, NamedSpeaker | null>,
): Judgement {
  const judged = [...Map.groupBy(items, ({ speaker }) => speaker)].map(([speaker, said]) => {
    const participantId = names.get(speaker)?.participantId;
    const through = said.filter((item) => turnOf.get(item)?.microphone === participantId);
    const own = through.filter((item) => turnOf.get(item)?.person === participantId);
    return {
      speaker,
      isNamed: participantId !== undefined,
      words: said.length,
      through: through.length,
      own: own.length,
    };
  });
  const named = judged.filter(({ isNamed }) => isNamed);
  const isWrong = ({ through, words }: { through: number; words: number }) => through < words / 2;
  const words = sum(judged.map((each) => each.words));
  return {
    wrong: named.filter(isWrong).map(({ speaker }) => speaker),
    guests: named.filter((each) => !isWrong(each) && each.own < each.words / 2).map(({ speaker }) => speaker),
    speakers: judged.length,
    unnamed: judged.length - named.length,
    words,
    unnamedWords: words - sum(named.map((each) => each.words)),
    strayWords: sum(named.map((each) => each.words - each.through)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
