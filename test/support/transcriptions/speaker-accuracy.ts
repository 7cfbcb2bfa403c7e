/** A word that a person said, or that a transcript says they said. */
export type WordOf = {
  readonly person: string;
  readonly text: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
};

/** How many words count, and how many of them are right. */
export type Score = { readonly words: number; readonly right: number };

/** How well a transcript says who spoke when. */
export type SpeakerAccuracy = {
  /** Every word of the transcript: whether the person said something there, or exactly this while others spoke. */
  readonly overall: Score;
  /** The same, of the words where nobody else spoke. */
  readonly alone: Score;
  /** Every word of the script: whether the transcript has it, as this person's. */
  readonly found: Score;
  /** The largest difference of a start or an end, in seconds, of the words that were found. */
  readonly largestDifferenceSeconds: number;
};

/** A word belongs to what was said this close to it. */
const nearSeconds = 0.3;

/** Words with the same text are not the same word if they are further apart. It is far more than the error that is to be shown. */
const sameWordSeconds = 2;

/**
 * Compares the words of a transcript with those of a script whose times are known. The recognizer may mishear. So a word where only
 * one person spoke is theirs, whatever its text. Where several spoke, a word that one of them said there is theirs, and a misheard one is
 * everyone's who spoke. A word where nobody spoke is nobody's, and never right.
 */
export function speakerAccuracy(said: readonly WordOf[], heard: readonly WordOf[]): SpeakerAccuracy {
  const judged = heard.map((word) => {
    const near = said.filter((each) => isNear(each, word));
    const exact = near.filter((each) => textOf(each) === textOf(word));
    const speakers = new Set(near.map(({ person }) => person));
    const owners = speakers.size > 1 && exact.length > 0 ? new Set(exact.map(({ person }) => person)) : speakers;
    return { isAlone: speakers.size < 2, isRight: owners.has(word.person) };
  });
  const pairs = [...new Set(said.map(({ person }) => person))].flatMap((person) =>
    matched(
      said.filter((word) => word.person === person),
      heard.filter((word) => word.person === person),
    ),
  );
  const differences = pairs.flatMap(([one, other]) => [
    Math.abs(one.startSeconds - other.startSeconds),
    Math.abs(one.endSeconds - other.endSeconds),
  ]);
  return {
    overall: scoreOf(judged),
    alone: scoreOf(judged.filter(({ isAlone }) => isAlone)),
    found: { words: said.length, right: pairs.length },
    largestDifferenceSeconds: Math.max(0, ...differences),
  };
}

/** The share of words that are right. Without words it is 0, because nothing was shown. */
export function shareOf({ words, right }: Score): number {
  return words === 0 ? 0 : right / words;
}

function scoreOf(judged: readonly { readonly isRight: boolean }[]): Score {
  return { words: judged.length, right: judged.filter(({ isRight }) => isRight).length };
}

function isNear(one: WordOf, other: WordOf): boolean {
  return one.startSeconds - nearSeconds < other.endSeconds && other.startSeconds - nearSeconds < one.endSeconds;
}

/** The longest pairing of words with the same text, in their order. Among the longest ones it is that with the nearest times. */
function matched(said: readonly WordOf[], heard: readonly WordOf[]): [said: WordOf, heard: WordOf][] {
  type Pairing = { readonly worth: number; readonly pair?: [WordOf, WordOf]; readonly rest?: Pairing };
  const none: Pairing = { worth: 0 };
  let next: Pairing[] = [];
  for (const one of said.toReversed()) {
    const row: Pairing[] = [];
    for (let column = heard.length - 1; column >= 0; column -= 1) {
      const other = heard[column];
      const skipped = [row[column + 1], next[column]].map((pairing) => pairing ?? none);
      const apart = other ? Math.abs(one.startSeconds - other.startSeconds) : Number.POSITIVE_INFINITY;
      const isPair = other !== undefined && textOf(one) === textOf(other) && apart < sameWordSeconds;
      const rest = next[column + 1] ?? none;
      const paired: Pairing[] = isPair ? [{ worth: rest.worth + 1 - apart / 1000, pair: [one, other], rest }] : [];
      row[column] = [...paired, ...skipped].reduce((best, each) => (each.worth > best.worth ? each : best), none);
    }
    next = row;
  }
  const pairs: [WordOf, WordOf][] = [];
  for (let pairing: Pairing | undefined = next[0]; pairing; pairing = pairing.rest)
    if (pairing.pair) pairs.push(pairing.pair);
  return pairs;
}

function textOf(word: WordOf | undefined): string {
  return (word?.text ?? '').toLowerCase().replace(/[^\p{L}\p{N}']/gu, '');
}
