import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import { mergePieces, type Piece } from '#shared/domain/transcriptions/parts/merge-pieces.ts';

/** A talk: each word lasts 0.4 s, and half a second passes from the start of one to the next. A voice says ten words in turn. */
const talk = (voices: readonly string[], seconds: number): SpokenItem[] =>
  Array.from({ length: seconds * 2 }, (_, index) => ({
    kind: 'word',
    text: `word${index}`,
    speaker: voices[Math.floor(index / 10) % voices.length] ?? '',
    startSeconds: index / 2,
    endSeconds: index / 2 + 0.4,
  }));

/** What recognition makes of a piece: it numbers the voices as it hears them. */
function pieceOf(items: readonly SpokenItem[], from: number, to: number): Piece {
  const labels = new Map<string, string>();
  const heard = items.filter(({ startSeconds, endSeconds }) => startSeconds >= from && endSeconds <= to);
  return {
    from,
    to,
    items: heard.map((item) => {
      if (!labels.has(item.speaker)) labels.set(item.speaker, `Speaker ${labels.size + 1}`);
      return { ...item, speaker: labels.get(item.speaker) ?? '' };
    }),
  };
}

/** For each voice, the labels that the merged words give to it. */
const labelsOf = (spoken: readonly SpokenItem[], merged: readonly SpokenItem[]) =>
  Object.fromEntries(
    [...Map.groupBy(spoken, ({ speaker }) => speaker)].map(([voice, items]) => {
      const texts = new Set(items.map(({ text }) => text));
      return [voice, [...new Set(merged.filter(({ text }) => texts.has(text)).map(({ speaker }) => speaker))]];
    }),
  );

test('a single piece stays as it is', () => {
  const spoken = talk(['a', 'b'], 30);
  expect(mergePieces([pieceOf(spoken, 0, 30)]).map(({ text, speaker }) => [text, speaker])).toEqual(
    spoken.map(({ text, speaker }) => [text, speaker === 'a' ? 'Speaker 1' : 'Speaker 2']),
  );
});

test('no piece, and pieces without words, give no words', () => {
  expect(mergePieces([])).toEqual([]);
  expect(mergePieces([pieceOf([], 0, 60), pieceOf([], 0, 120)])).toEqual([]);
});

test('every word comes once, in its order, wherever pieces overlap', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 61, max: 200 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 60 }),
      (lengths, overlap) => {
        let from = 0;
        const spans = lengths.map((length) => {
          const span = { from, to: from + length };
          from = span.to - overlap;
          return span;
        });
        const spoken = talk(['a', 'b', 'c'], spans.at(-1)?.to ?? 0);
        const merged = mergePieces(spans.map((span) => pieceOf(spoken, span.from, span.to)));
        expect(merged.map(({ text }) => text)).toEqual(spoken.map(({ text }) => text));
      },
    ),
  );
});

describe('a speaker', () => {
  test('keeps their label if they speak in the overlap, in whatever order a piece numbers them', () => {
    const spoken = talk(['a', 'b', 'c'], 200);
    const merged = mergePieces([pieceOf(spoken, 0, 100), pieceOf(spoken, 45, 200)]);
    expect(labelsOf(spoken, merged)).toEqual({ a: ['Speaker 1'], b: ['Speaker 2'], c: ['Speaker 3'] });
  });

  test('gets a new label if they do not speak in the overlap', () => {
    const spoken = talk(['a', 'b'], 200).map((item) =>
      item.startSeconds >= 40 && item.startSeconds < 100 ? { ...item, speaker: 'a' } : item,
    );
    const merged = mergePieces([pieceOf(spoken, 0, 100), pieceOf(spoken, 40, 200)]);
    expect(labelsOf(spoken, merged)).toEqual({ a: ['Speaker 1'], b: ['Speaker 2', 'Speaker 3'] });
  });

  test('gets a new label if pieces do not overlap', () => {
    const spoken = talk(['a'], 100);
    const merged = mergePieces([pieceOf(spoken, 0, 50), pieceOf(spoken, 50, 100)]);
    expect(labelsOf(spoken, merged)).toEqual({ a: ['Speaker 1', 'Speaker 2'] });
  });

  test('gets a new label if a piece took two voices for one', () => {
    const spoken = talk(['a', 'b'], 200);
    const together = pieceOf(
      spoken.map((item) => ({ ...item, speaker: 'both' })),
      40,
      200,
    );
    const labels = new Set(mergePieces([pieceOf(spoken, 0, 100), together]).map(({ speaker }) => speaker));
    expect([...labels]).toEqual(['Speaker 1', 'Speaker 2', 'Speaker 3']);
  });

  test('gets a new label if they speak for less than five seconds in the overlap', () => {
    const spoken = talk(['a'], 100).filter(({ startSeconds }) => startSeconds < 40 || startSeconds >= 44);
    const merged = mergePieces([pieceOf(spoken, 0, 48), pieceOf(spoken, 38, 100)]);
    expect(labelsOf(spoken, merged).a).toEqual(['Speaker 1', 'Speaker 2']);
  });
});

test('pieces meet in a pause, and punctuation stays with its word', () => {
  const said = talk(['a'], 100).filter(({ startSeconds }) => startSeconds < 52 || startSeconds >= 56);
  const spoken = said.flatMap((item) => [item, { ...item, kind: 'punctuation' as const, text: '.' }]);
  const late = spoken.map((item) => ({
    ...item,
    startSeconds: item.startSeconds + 0.3,
    endSeconds: item.endSeconds + 0.3,
  }));
  const merged = mergePieces([pieceOf(spoken, 0, 80), pieceOf(late, 20, 101)]);
  expect(merged.map(({ text }) => text)).toEqual(spoken.map(({ text }) => text));
  expect(
    merged.filter(({ startSeconds }) => startSeconds * 2 === Math.round(startSeconds * 2)).at(-1)?.startSeconds,
  ).toBe(51.5);
});

test('a talk of a day is merged within bounded work', () => {
  const spoken = talk(['a', 'b'], 24 * 3600);
  const spans = Array.from({ length: 24 }, (_, hour) => ({
    from: hour * 3600,
    to: Math.min((hour + 1) * 3600 + 60, 86_400),
  }));
  const merged = mergePieces(spans.map(({ from, to }) => pieceOf(spoken, from, to)));
  expect(merged).toHaveLength(spoken.length);
});
