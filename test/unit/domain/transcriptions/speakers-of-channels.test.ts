import { describe, expect, test } from 'vitest';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { Piece } from '#shared/domain/transcriptions/parts/merge-pieces.ts';
import { haveChannels, speakersOfChannels } from '#shared/domain/transcriptions/parts/speakers-of-channels.ts';
import { spoken } from '../../../support/transcriptions/transcripts.ts';

const stays = [
  { participantId: 'ada', displayName: 'Ada', from: 0, to: 20 },
  { participantId: 'ada', displayName: 'Ada L.', from: 20, to: 2000 },
  { participantId: 'bo', displayName: 'Bo', from: 0, to: 2000 },
];

/** Words on a channel. */
const on = (channel: number, text: string, from: number, speaker = 'Speaker 1'): SpokenItem[] =>
  spoken(text, from).items.map((item) => ({ ...item, channel, speaker }));
const piece = (items: readonly SpokenItem[], from = 0, to = 600): Piece => ({ from, to, items });
const named = (...pieces: readonly Piece[]) => {
  const made = speakersOfChannels(pieces, { channels: ['ada', 'bo'], languageCode: 'en-US' }, { stays });
  const names = new Map(made.speakers.map(({ speaker, displayName }) => [speaker, displayName]));
  return { ...made, lines: made.turns.map(({ speaker, text }) => `${names.get(speaker)}: ${text}`) };
};

describe('the channels of a mixed file', () => {
  test('are speakers with the names of their participants at that time', () => {
    const { lines, speakers } = named(piece([...on(0, 'good morning', 100), ...on(1, 'hello Ada', 90)]));

    expect(lines).toEqual(['Bo: hello Ada', 'Ada L.: good morning']);
    expect(speakers).toEqual([
      { speaker: 'Speaker 1', participantId: 'bo', displayName: 'Bo', source: 'channel', confidence: 1 },
      { speaker: 'Speaker 2', participantId: 'ada', displayName: 'Ada L.', source: 'channel', confidence: 1 },
    ]);
  });

  test('keep that two people speak at once', () => {
    const { turns } = named(piece([...on(0, 'one two three four five six', 10), ...on(1, 'yes', 11)]));

    expect(turns.map(({ text }) => text)).toEqual(['one two three four five six', 'yes']);
  });

  test('have the voices of a meeting room, told apart', () => {
    const room = [...on(0, 'good morning to you', 10), ...on(0, 'and to you too', 15, 'Speaker 2')];
    const { lines } = named(piece([...room, ...on(1, 'hello', 30)]));

    expect(lines).toEqual(['Ada, speaker 1: good morning to you', 'Ada, speaker 2: and to you too', 'Bo: hello']);
  });

  test('stay one speaker over the cut of a long file, and have each word once', () => {
    const first = piece([...on(0, 'before', 10), ...on(0, 'between', 570), ...on(1, 'hello', 20)], 0, 600);
    const second = piece([...on(0, 'between', 570.05), ...on(0, 'after', 900), ...on(1, 'bye', 910)], 540, 1140);
    const { lines } = named(first, second);

    expect(lines).toEqual(['Ada L.: before', 'Bo: hello', 'Ada L.: between', 'Ada L.: after', 'Bo: bye']);
  });

  test('are known only if every word has one', () => {
    expect(haveChannels(on(1, 'good morning', 1))).toBe(true);
    expect(haveChannels([...on(1, 'good', 1), ...spoken('morning', 2).items])).toBe(false);
    expect(haveChannels([])).toBe(false);
  });
});
