import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type SpokenItem, toTurns } from '#shared/domain/transcript/transcript.ts';

const word = (text: string, startSeconds: number, facts: Partial<SpokenItem> = {}): SpokenItem => ({
  kind: 'word',
  text,
  speaker: 'Speaker 1',
  startSeconds,
  endSeconds: startSeconds + 0.5,
  ...facts,
});
const mark = (text: string, speaker = 'Speaker 1'): SpokenItem => ({
  kind: 'punctuation',
  text,
  speaker,
  startSeconds: 0,
  endSeconds: 0,
});
const textsOf = (items: readonly SpokenItem[], languageCode: string | null = 'en-US') =>
  toTurns(items, languageCode).map(({ text }) => text);

test('no words give no turns', () => {
  expect(toTurns([], 'en-US')).toEqual([]);
  expect(toTurns([mark('.'), mark('!')], null)).toEqual([]);
});

test('words of one speaker are one turn, from the start of the first word to the end of the last', () => {
  expect(toTurns([word('Good', 1), word('morning', 1.5), mark('.')], 'en-US')).toEqual([
    {
      ...{ speaker: 'Speaker 1', startSeconds: 1, endSeconds: 2, text: 'Good morning.' },
      words: [
        { text: 'Good', startSeconds: 1, endSeconds: 1.5, confidence: null },
        { text: 'morning.', startSeconds: 1.5, endSeconds: 2, confidence: null },
      ],
    },
  ]);
});

test('every change of speaker starts a new turn', () => {
  const items = [
    word('Hello', 0),
    word('Hi', 0.6, { speaker: 'Speaker 2' }),
    mark(',', 'Speaker 2'),
    word('there', 1.2),
  ];
  expect(toTurns(items, 'en-US').map(({ speaker, text }) => [speaker, text])).toEqual([
    ['Speaker 1', 'Hello'],
    ['Speaker 2', 'Hi,'],
    ['Speaker 1', 'there'],
  ]);
});

test('punctuation stays with the word before it, even if it names another speaker', () => {
  expect(textsOf([word('Really', 0), mark('?', 'Speaker 9'), mark('!'), word('Yes', 1), mark('.')])).toEqual([
    'Really?! Yes.',
  ]);
});

test.each([
  [2.9, ['one two']],
  [3, ['one', 'two']],
  [60, ['one', 'two']],
])('two words with a silence of %d seconds between them give %j', (silence, texts) => {
  const end = word('one', 0).endSeconds;
  expect(textsOf([word('one', 0), word('two', end + silence)])).toEqual(texts);
});

describe('a long monologue', () => {
  const monologue = (sentenceWords: number) =>
    Array.from({ length: 120 }, (_, index) => [
      word(`w${index}`, index * 0.5),
      ...(index % sentenceWords === sentenceWords - 1 ? [mark('.')] : []),
    ]).flat();

  test('is split at the end of a sentence once it is longer than 20 seconds', () => {
    const turns = toTurns(monologue(7), 'en-US');
    expect(turns.length).toBeGreaterThan(1);
    for (const turn of turns.slice(0, -1)) {
      expect(turn.text).toMatch(/\.$/);
      expect(turn.endSeconds - turn.startSeconds).toBeGreaterThanOrEqual(20 - 0.5);
      expect(turn.endSeconds - turn.startSeconds).toBeLessThan(20 + 7);
    }
  });

  test('is not split without punctuation', () => {
    expect(toTurns(monologue(1_000), 'en-US')).toHaveLength(1);
  });

  test.each(['。', '？', '！', '?', '!'])('is also split after %j', (end) => {
    const items = [word('long', 0, { endSeconds: 25 }), mark(end), word('next', 25)];
    expect(textsOf(items)).toEqual([`long${end}`, 'next']);
  });
});

test.each([
  ['en-US', 'a b'],
  ['ko-KR', 'a b'],
  [null, 'a b'],
  ['', 'a b'],
  ['ja-JP', 'ab'],
  ['zh-CN', 'ab'],
  ['zh', 'ab'],
  ['th-TH', 'ab'],
  ['lo-LA', 'ab'],
])('words in the language %j are joined as %j', (languageCode, text) => {
  expect(textsOf([word('a', 0), word('b', 0.5)], languageCode)).toEqual([text]);
});

test.each([
  ['ja-JP', 'ja-JP', 'ab'],
  ['en-US', 'en-US', 'a b'],
  ['ja-JP', 'en-US', 'a b'],
  ['en-US', 'ja-JP', 'a b'],
  ['zh-CN', 'ja-JP', 'ab'],
])('words in the languages %s and %s are joined as these are written', (first, second, text) => {
  const items = [word('a', 0, { languageCode: first }), word('b', 0.5, { languageCode: second })];
  for (const languageCode of ['en-US', 'ja-JP']) expect(textsOf(items, languageCode)).toEqual([text]);
});

test('turns keep every word, never go back in time, and are never mergeable neighbours', () => {
  const items = fc.array(
    fc.record({
      kind: fc.constantFrom('word', 'word', 'punctuation'),
      text: fc.constantFrom('a', 'b.', '.', '😀', '__proto__'),
      speaker: fc.constantFrom('Speaker 1', 'Speaker 2'),
      startSeconds: fc.double({ min: 0, max: 100, noNaN: true }),
    }),
  );
  fc.assert(
    fc.property(items, (said) => {
      const spoken = said.map((item): SpokenItem => ({ ...item, endSeconds: item.startSeconds }));
      const turns = toTurns(spoken, 'ja');
      const first = spoken.findIndex(({ kind }) => kind === 'word');
      const words = first < 0 ? [] : spoken.slice(first);
      expect(turns.map(({ text }) => text).join('')).toBe(words.map(({ text }) => text).join(''));
      for (const turn of turns) expect(turn.endSeconds).toBeGreaterThanOrEqual(turn.startSeconds);
    }),
  );
});
