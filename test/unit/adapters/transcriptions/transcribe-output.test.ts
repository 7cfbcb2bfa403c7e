import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTranscribeOutput } from '#shared/adapters/transcriptions/transcribe-output.ts';
import { type Spoken, toTurns } from '#shared/domain/transcript/transcript.ts';

type Item = Record<string, unknown>;

const word = (content: unknown, start: unknown, end: unknown, facts: Item = {}): Item => ({
  id: 0,
  type: 'pronunciation',
  alternatives: [{ confidence: '0.99', content }],
  start_time: start,
  end_time: end,
  ...facts,
});
const mark = (content: string, facts: Item = {}): Item => ({
  type: 'punctuation',
  alternatives: [{ confidence: '0.0', content }],
  ...facts,
});
const output = (items: readonly Item[], results: Item = {}) => ({
  jobName: 'job',
  accountId: '123456789012',
  status: 'COMPLETED',
  results: { language_code: 'en-US', transcripts: [{ transcript: '' }], items, ...results },
});
const read = (value: unknown) => parseTranscribeOutput(JSON.stringify(value));
const turnsIn = (spoken: Spoken | undefined) => spoken && toTurns(spoken.items, spoken.languageCode);
const turnsOf = (items: readonly Item[], results?: Item) =>
  turnsIn(read(output(items, results)))?.map(({ speaker, startSeconds, endSeconds, text }) => [
    speaker,
    startSeconds,
    endSeconds,
    text,
  ]);

test('parseTranscribeOutput reads words, times, speakers and language', () => {
  const items = [
    word('Good', '0.009', '0.31', { speaker_label: 'spk_0' }),
    word('morning', '0.32', '0.8', { speaker_label: 'spk_0' }),
    mark('.', { speaker_label: 'spk_0' }),
    word('Hi', '1.0', '1.2', { speaker_label: 'spk_1' }),
    mark('!', { speaker_label: 'spk_1' }),
  ];
  expect(read(output(items))?.languageCode).toBe('en-US');
  expect(turnsOf(items)).toEqual([
    ['Speaker 1', 0.009, 0.8, 'Good morning.'],
    ['Speaker 2', 1, 1.2, 'Hi!'],
  ]);
});

describe('the channels of an output', () => {
  // The words of one channel follow those of the other: https://docs.aws.amazon.com/transcribe/latest/dg/channel-id-output-batch.html
  const items = [
    word('Hello', '1.0', '1.5', { channel_label: 'ch_0' }),
    mark('.', { channel_label: 'ch_0' }),
    word('Hi', '1.0', '1.2', { channel_label: 'ch_1' }),
    mark('!', { channel_label: 'ch_1' }),
  ];
  const heard = (channels: number, more: Item = {}) =>
    read(output(items, { channel_labels: { number_of_channels: channels, channels: [] }, ...more }))?.items.map(
      ({ text, channel, speaker, startSeconds }) => [text, channel, speaker, startSeconds],
    );

  test('are those of the words', () => {
    expect(heard(2)).toEqual([
      ['Hello', 0, 'Speaker 1', 1],
      ['.', 0, 'Speaker 1', 1.5],
      ['Hi', 1, 'Speaker 1', 1],
      ['!', 1, 'Speaker 1', 1.2],
    ]);
  });

  test('say nothing if the file has only one', () => {
    expect(heard(1)?.map(([, channel]) => channel)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('have speakers of their own at the same time', () => {
    const segment = (channel: string, label: string) => ({
      items: [{ start_time: '1.0', end_time: '2', speaker_label: label, channel_label: channel }],
    });
    const segments = [segment('ch_0', 'spk_0'), segment('ch_1', 'spk_1')];
    const speakers = heard(2, { speaker_labels: { speakers: 2, segments } })?.map(([text, , speaker]) => [
      text,
      speaker,
    ]);
    expect(speakers).toContainEqual(['Hello', 'Speaker 1']);
    expect(speakers).toContainEqual(['Hi', 'Speaker 2']);
  });
});

test('parseTranscribeOutput reads speakers from the segments if the items have no labels', () => {
  const segment = (label: string, ...starts: string[]) => ({
    start_time: starts[0],
    end_time: '9',
    speaker_label: label,
    items: starts.map((start_time) => ({ start_time, end_time: '9', speaker_label: label })),
  });
  const items = [word('a', '0.0', '0.5'), word('b', '0.5', '1.0'), mark('.'), word('c', '1.0', '1.5')];
  const speaker_labels = { speakers: 2, segments: [segment('spk_0', '0.0'), segment('spk_11', '0.5', '1.0')] };
  expect(turnsOf(items, { speaker_labels })).toEqual([
    ['Speaker 1', 0, 0.5, 'a'],
    ['Speaker 12', 0.5, 1.5, 'b. c'],
  ]);
});

test.each([undefined, 'spk_x', '', 'spk_', '__proto__', '<v Eve>', 'spk_1\n'])(
  'parseTranscribeOutput reads the label %j as Speaker 1',
  (speaker_label) => {
    expect(turnsOf([word('a', '0', '1', { speaker_label })])).toEqual([['Speaker 1', 0, 1, 'a']]);
  },
);

test('parseTranscribeOutput joins words without spaces in languages that have none', () => {
  expect(turnsOf([word('今日', '0', '1'), word('は', '1', '2')], { language_code: 'ja-JP' })?.[0]?.[3]).toBe('今日は');
});

test.each([
  [{ language_code: null }, null],
  [{ language_code: undefined }, null],
  [{ language_code: 'fr-FR' }, 'fr-FR'],
])('parseTranscribeOutput reads the language of %j as %j', (results, languageCode) => {
  expect(read(output([], results))?.languageCode).toBe(languageCode);
});

describe('an output of several languages', () => {
  // As documented: https://docs.aws.amazon.com/transcribe/latest/dg/lang-id-batch.html#lang-id-batch-multi-language
  const documented = [
    { language_code: 'en-US', duration_in_seconds: 2.45 },
    { language_code: 'hi-IN', duration_in_seconds: 5.325 },
    { language_code: 'ja-JP', duration_in_seconds: 4.15 },
  ];
  const several = (language_codes: unknown) => ({ language_code: undefined, language_codes });

  test('has the language that was spoken longest, and all of them by their seconds', () => {
    expect(read(output([], several(documented)))).toEqual({
      languageCode: 'hi-IN',
      languages: [
        { languageCode: 'hi-IN', seconds: 5.325 },
        { languageCode: 'ja-JP', seconds: 4.15 },
        { languageCode: 'en-US', seconds: 2.45 },
      ],
      items: [],
    });
  });

  test('joins words as the language of each is written', () => {
    const items = [
      word('welcome', '0', '1', { language_code: 'en-US' }),
      word('everyone', '1', '2', { language_code: 'en-US' }),
      mark('.', { language_code: 'en-US' }),
      word('一つ', '2', '3', { language_code: 'ja-JP' }),
      word('の', '3', '4', { language_code: 'ja-JP' }),
      word('Amazon', '4', '5', { language_code: 'en-US' }),
    ];
    expect(turnsOf(items, several(documented))?.[0]?.[3]).toBe('welcome everyone. 一つの Amazon');
  });

  test.each([
    ['no languages', [], null, undefined],
    ['null', null, null, undefined],
    ['a language without a code', [{ duration_in_seconds: 1 }], null, undefined],
    ['a language twice', [documented[0], documented[2], documented[0]], 'en-US', [4.9, 4.15]],
    ['a language without seconds', [{ language_code: 'de-DE' }, documented[0]], 'en-US', [2.45, 0]],
    [
      'seconds that are no number',
      [{ language_code: 'de-DE', duration_in_seconds: '9' }, documented[0]],
      'en-US',
      [2.45, 0],
    ],
    ['negative seconds', [{ language_code: 'de-DE', duration_in_seconds: -1 }], 'de-DE', [0]],
  ])('can list %s', (_name, language_codes, languageCode, seconds) => {
    const spoken = read(output([], several(language_codes)));
    expect(spoken?.languageCode).toBe(languageCode);
    expect(spoken?.languages?.map((each) => each.seconds)).toEqual(seconds);
  });
});

test.each([
  ['0.99', 0.99],
  [0.5, 0.5],
  ['0.0', 0],
  [undefined, undefined],
  ['x', undefined],
  ['1.1', undefined],
  [{ toString: 1 }, undefined],
])('parseTranscribeOutput reads the confidence %j as %j', (confidence, expected) => {
  const item = { ...word('a', '0', '1'), alternatives: [{ confidence, content: 'a' }] };
  expect(read(output([item]))?.items[0]?.confidence).toBe(expected);
});

test('parseTranscribeOutput returns no words for silence', () => {
  expect(read(output([]))).toEqual({ languageCode: 'en-US', items: [] });
  expect(turnsOf([mark('.')])).toEqual([]);
});

describe('given invalid times, parseTranscribeOutput', () => {
  test.each(['NaN', '-1', 'Infinity', '1e9', '1000000', '', 'x', '-0.1'])(
    'replaces the start time %j with the end of the previous word',
    (start) => {
      expect(turnsOf([word('a', '1', '2'), word('b', start, '3')])).toEqual([['Speaker 1', 1, 3, 'a b']]);
    },
  );

  test('uses 0 for invalid times of the first word', () => {
    expect(turnsOf([word('a', 'NaN', 'NaN')])).toEqual([['Speaker 1', 0, 0, 'a']]);
    expect(turnsOf([word('a', undefined, undefined)])).toEqual([['Speaker 1', 0, 0, 'a']]);
  });

  test('never lets a word end before it starts', () => {
    expect(turnsOf([word('a', '5', '4')])).toEqual([['Speaker 1', 5, 5, 'a']]);
  });
});

describe('given invalid output, parseTranscribeOutput', () => {
  test.each([
    ['empty text', ''],
    ['text that is not JSON', '<Error><Code>AccessDenied</Code></Error>'],
    ['truncated JSON', '{"results":{"items":['],
    ['null', 'null'],
    ['a number', '7'],
    ['an array', '[]'],
    ['an empty object', '{}'],
    ['a million nested arrays, not closed', '['.repeat(1_000_000)],
    ['500,000 nested arrays', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['100,000 nested objects', `${'{"results":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('returns undefined for %s', (_name, text) => {
    expect(parseTranscribeOutput(text)).toBeUndefined();
  });

  test.each([
    ['results that are null', { results: null }],
    ['results without items', { results: {} }],
    ['items that are not a list', output({} as never)],
    ['an item that is null', output([null as never])],
    ['an item of an unknown type', output([word('a', '0', '1', { type: 'music' })])],
    ['an item without alternatives', output([word('a', '0', '1', { alternatives: undefined })])],
    ['an item with an empty list of alternatives', output([word('a', '0', '1', { alternatives: [] })])],
    ['an alternative without content', output([word('a', '0', '1', { alternatives: [{}] })])],
    ['a word that is a number', output([word(7, '0', '1')])],
    ['a time that is a number', output([word('a', 0, 1)])],
    ['a label that is a number', output([word('a', '0', '1', { speaker_label: 1 })])],
    ['a language that is a number', output([], { language_code: 7 })],
    ['languages that are text', output([], { language_codes: 'en-US' })],
    ['segments that are text', output([], { speaker_labels: { segments: 'x' } })],
  ])('returns undefined for %s', (_name, value) => {
    expect(read(value)).toBeUndefined();
  });

  test('never throws for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), (text, value) => {
        expect(() => parseTranscribeOutput(text)).not.toThrow();
        expect(() => read({ results: { items: [value], language_code: 'en' } })).not.toThrow();
      }),
    );
  });
});

test('parseTranscribeOutput never sets a prototype from the output', () => {
  const text = '{"__proto__":{"canary":1},"results":{"items":[],"__proto__":{"canary":1}}}';
  expect(parseTranscribeOutput(text)).toEqual({ languageCode: null, items: [] });
  expect({}).not.toHaveProperty('canary');
});
