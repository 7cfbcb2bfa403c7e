import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';

/** The words of one piece of a recording. `from` and `to` are seconds of the recording, and so are the times of the words. */
export type Piece = { readonly from: number; readonly to: number; readonly items: readonly SpokenItem[] };

/** Two speakers are one if both pieces give them at least so many seconds of the same time … */
const fewestSharedSeconds = 5;
/** … and so many times as much as either shares with anybody else. */
const margin = 2;

/**
 * Joins the words of the pieces of one recording, which follow each other and overlap. Each word comes from one piece: where two
 * overlap, they meet in the longest pause. A speaker keeps their label over a cut only if the overlap shows that they are the same.
 * Otherwise they get a new label, never that of somebody else.
 */
export function mergePieces(pieces: readonly Piece[]): SpokenItem[] {
  let merged: SpokenItem[] = [];
  const labels = new Labels();
  let before: Piece | undefined;
  for (const piece of pieces) {
    const matched = before ? matchSpeakers(wordsBetween(before, piece), wordsBetween(piece, before)) : new Map();
    const labelled = { ...piece, items: labels.apply(piece.items, matched) };
    const cut = before ? cutBetween(before, labelled) : piece.from;
    merged = [...merged.slice(0, firstWordAt(merged, cut)), ...labelled.items.slice(firstWordAt(labelled.items, cut))];
    before = labelled;
  }
  return merged;
}

/**
 * Joins the words of pieces whose speakers are known, so that their labels stay: two that follow each other meet in the longest pause of
 * their overlap.
 */
export function joinPieces(pieces: readonly Piece[]): SpokenItem[] {
  let joined: SpokenItem[] = [];
  let before: Piece | undefined;
  for (const piece of pieces) {
    const cut = before ? cutBetween(before, piece) : piece.from;
    joined = [...joined.slice(0, firstWordAt(joined, cut)), ...piece.items.slice(firstWordAt(piece.items, cut))];
    before = piece;
  }
  return joined;
}

/** The labels of a recording's speakers: `Speaker 1`, `Speaker 2` … */
class Labels {
  private given = 0;

  /** Names the speakers as `matched` says, and all others anew. */
  apply(items: readonly SpokenItem[], matched: ReadonlyMap<string, string>): SpokenItem[] {
    const names = new Map(matched);
    return items.map((item) => {
      const speaker = names.get(item.speaker) ?? `Speaker ${++this.given}`;
      names.set(item.speaker, speaker);
      return { ...item, speaker };
    });
  }
}

/** The words of a piece that begin while another piece also has the sound. */
function wordsBetween({ items }: Piece, { from, to }: Piece): SpokenItem[] {
  return items.filter(({ kind, startSeconds }) => kind === 'word' && startSeconds >= from && startSeconds < to);
}

/** The speakers of the earlier piece, by those of the later one who spoke at the same times. */
function matchSpeakers(earlier: readonly SpokenItem[], later: readonly SpokenItem[]): Map<string, string> {
  const shared = sharedSeconds(earlier, later);
  const matched = new Map<string, string>();
  for (const one of shared) {
    const rivals = shared.filter(
      (other) => other !== one && (other.earlier === one.earlier || other.later === one.later),
    );
    const isClear = rivals.every(({ seconds }) => one.seconds >= margin * seconds);
    if (one.seconds >= fewestSharedSeconds && isClear) matched.set(one.later, one.earlier);
  }
  return matched;
}

/** For each pair of an earlier and a later speaker, how long words of both last at the same time. Both lists are sorted by start. */
function sharedSeconds(earlier: readonly SpokenItem[], later: readonly SpokenItem[]) {
  const pairs = new Map<string, { readonly earlier: string; readonly later: string; seconds: number }>();
  let first = 0;
  for (const word of later) {
    while ((earlier[first]?.endSeconds ?? Number.POSITIVE_INFINITY) <= word.startSeconds) first += 1;
    for (let index = first; index < earlier.length; index += 1) {
      const other = earlier[index] as SpokenItem;
      if (other.startSeconds >= word.endSeconds) break;
      const seconds = Math.min(word.endSeconds, other.endSeconds) - Math.max(word.startSeconds, other.startSeconds);
      if (seconds <= 0) continue;
      const key = `${other.speaker}\n${word.speaker}`;
      const pair = pairs.get(key) ?? { earlier: other.speaker, later: word.speaker, seconds: 0 };
      pair.seconds += seconds;
      pairs.set(key, pair);
    }
  }
  return [...pairs.values()];
}

/**
 * The time at which the words of the later piece replace those of the earlier one: the middle of the longest pause in the middle half
 * of the overlap, where both pieces know what was said before and after.
 */
function cutBetween(earlier: Piece, later: Piece): number {
  const overlap = earlier.to - later.from;
  if (overlap <= 0) return later.from;
  const [start, end] = [later.from + overlap / 4, earlier.to - overlap / 4];
  const words = [...wordsBetween(earlier, later), ...wordsBetween(later, earlier)]
    .filter((word) => word.endSeconds > start && word.startSeconds < end)
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
  let [cut, longest, silentFrom] = [(start + end) / 2, 0, start];
  for (const word of [...words, { startSeconds: end, endSeconds: end }]) {
    if (word.startSeconds - silentFrom > longest) {
      longest = word.startSeconds - silentFrom;
      cut = (word.startSeconds + silentFrom) / 2;
    }
    silentFrom = Math.max(silentFrom, word.endSeconds);
  }
  return cut;
}

/** The index of the first word that begins at a time or later. Punctuation before it belongs to an earlier word. */
function firstWordAt(items: readonly SpokenItem[], time: number): number {
  const index = items.findIndex(({ kind, startSeconds }) => kind === 'word' && startSeconds >= time);
  return index < 0 ? items.length : index;
}
