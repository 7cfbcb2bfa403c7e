/** A turn as the view shows it: without the words, which only other programs need. */
export type ReadTurn = {
  readonly speaker: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
};

/** Where the searched text is: the same element of each list belongs to one match. Matches are in the order of the turns. */
export type Matches = {
  readonly turns: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Whether there are more than the view counts. */
  readonly areMore: boolean;
};

/** A part of a text: `match` is the number of the match that it is, from 0. */
export type TextPart = { readonly text: string; readonly match?: number };

/** How many matches the view counts. Nobody walks through more, and each costs memory. */
export const mostMatches = 10_000;

const none: Matches = { turns: [], starts: [], ends: [], areMore: false };

/** Finds a text in all turns. Case does not count, and any white space is as good as another. */
export function findMatches(turns: readonly ReadTurn[], wanted: string): Matches {
  const pattern = patternOf(wanted);
  if (!pattern) return none;
  const [found, starts, ends]: [number[], number[], number[]] = [[], [], []];
  for (const [index, { text }] of turns.entries()) {
    for (const { 0: matched, index: start } of text.matchAll(pattern)) {
      if (found.length === mostMatches) return { turns: found, starts, ends, areMore: true };
      found.push(index);
      starts.push(start);
      ends.push(start + matched.length);
    }
  }
  return { turns: found, starts, ends, areMore: false };
}

function patternOf(wanted: string): RegExp | undefined {
  const words = wanted.trim().split(/\s+/);
  if (words[0] === '') return undefined;
  return new RegExp(words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('\\s+'), 'giu');
}

/** Cuts the text of a turn into its matches and what is between them. */
export function partsOf(text: string, turn: number, { turns, starts, ends }: Matches): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (let match = firstAtOrAfter(turns, turn); turns[match] === turn; match++) {
    const [start = 0, end = 0] = [starts[match], ends[match]];
    if (start > at) parts.push({ text: text.slice(at, start) });
    parts.push({ text: text.slice(start, end), match });
    at = end;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** The number of the first match in a turn or after it, from 0. The first of all if there is none after it. */
export function matchFrom({ turns }: Matches, turn: number): number {
  const match = firstAtOrAfter(turns, turn);
  return match < turns.length ? match : 0;
}

/** The match before or after another one. After the last one comes the first one. */
export function matchBeside({ turns }: Matches, match: number, step: 1 | -1): number {
  return turns.length === 0 ? 0 : (match + step + turns.length) % turns.length;
}

/** The turn at a moment: the latest one that has begun, or the first one. -1 if there are no turns. */
export function turnAt(turns: readonly ReadTurn[], seconds: number): number {
  const later = firstWhere(turns.length, (index) => (turns[index]?.startSeconds ?? 0) > seconds);
  return turns.length === 0 ? -1 : Math.max(0, later - 1);
}

/** The turn that is heard at a moment. -1 if nobody speaks then. */
export function heardTurn(turns: readonly ReadTurn[], seconds: number): number {
  const begun = turnAt(turns, seconds);
  // Turns of several people overlap, and a long one can outlast the shorter ones that began after it.
  for (let index = begun; index >= Math.max(0, begun - 20); index--) {
    const turn = turns[index];
    if (turn && turn.startSeconds <= seconds && seconds < turn.endSeconds) return index;
  }
  return -1;
}

/** A moment of an address in seconds. Undefined if it is not a number of seconds. */
export function momentOf(text: string | undefined): number | undefined {
  const seconds = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function firstAtOrAfter(sorted: readonly number[], value: number): number {
  return firstWhere(sorted.length, (index) => (sorted[index] ?? 0) >= value);
}

/** The first index for which a condition holds, if it holds for all later ones, too. */
function firstWhere(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
