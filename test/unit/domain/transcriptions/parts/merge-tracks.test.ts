import { describe, expect, test } from 'vitest';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import { mergeTracks } from '#shared/domain/transcriptions/parts/merge-tracks.ts';

/** Says words from a time on, half a second each. A text that is no word is punctuation. */
function says(from: number, text: string, confidence = 0.9): SpokenItem[] {
  let at = from;
  return text.split(' ').map((word): SpokenItem => {
    if (/^\W$/.test(word)) return { kind: 'punctuation', text: word, speaker: '', startSeconds: at, endSeconds: at };
    const item = { kind: 'word', text: word, speaker: '', startSeconds: at, endSeconds: at + 0.4, confidence } as const;
    at += 0.5;
    return item;
  });
}

const merge = (...tracks: readonly SpokenItem[][]) =>
  mergeTracks(
    tracks.map((items, index) => ({
      languageCode: 'en-US',
      items: items.map((item) => ({ ...item, speaker: ['Ada', 'Bo', 'Cy'][index] ?? '' })),
    })),
  );
const linesOf = (turns: readonly { speaker: string; text: string }[]) =>
  turns.map(({ speaker, text }) => `${speaker}: ${text}`);

test('tracks without words give no turns', () => {
  expect(merge()).toEqual({ turns: [], echoes: [] });
  expect(merge([], [])).toEqual({ turns: [], echoes: [] });
});

test('turns of several tracks are sorted by their start, and keep their times', () => {
  const { turns } = merge(says(10, 'I am Ada .'), says(0, 'Who is there ?'));
  expect(turns).toMatchObject([
    { speaker: 'Bo', startSeconds: 0, endSeconds: 1.4, text: 'Who is there?' },
    { speaker: 'Ada', startSeconds: 10, endSeconds: 11.4, text: 'I am Ada.' },
  ]);
});

describe('a sentence', () => {
  test('is not cut by a word of another speaker, also in a pause', () => {
    const { turns } = merge([...says(0, 'so we will'), ...says(3, 'do it today')], says(1.6, 'mhm yes'));
    expect(linesOf(turns)).toEqual(['Ada: so we will do it today', 'Bo: mhm yes']);
  });

  test('ends at a pause in which another speaker answers', () => {
    const { turns } = merge([...says(0, 'shall we go'), ...says(3.9, 'good then')], says(1.6, 'yes at once please'));
    expect(linesOf(turns)).toEqual(['Ada: shall we go', 'Bo: yes at once please', 'Ada: good then']);
  });

  test('goes on while others speak at the same time', () => {
    const { turns } = merge(says(0, 'one two three four five six'), says(0.7, 'no no no no'));
    expect(turns.map(({ speaker, startSeconds, endSeconds }) => [speaker, startSeconds, endSeconds])).toEqual([
      ['Ada', 0, 2.9],
      ['Bo', 0.7, 2.6],
    ]);
  });
});

describe('the same words on two tracks within half a second', () => {
  test('are kept where they are more certain, and are echoes of the other', () => {
    const { turns, echoes } = merge(says(0.3, 'the plan is good .', 0.4), says(0, 'the plan is good .', 0.95));
    expect(linesOf(turns)).toEqual(['Bo: the plan is good.']);
    expect(linesOf(echoes)).toEqual(['Ada: the plan is good.']);
  });

  test('are taken as a whole, however certain single words are', () => {
    const weak = [...says(0.2, 'the', 0.99), ...says(0.7, 'plan is good', 0.3)];
    const { turns } = merge(weak, says(0, 'the plan is good', 0.8));
    expect(linesOf(turns)).toEqual(['Bo: the plan is good']);
  });

  test('are kept where they were heard first, if they are as certain', () => {
    expect(linesOf(merge(says(0.1, 'hello', 0.9), says(0, 'Hello', 0.9)).turns)).toEqual(['Bo: Hello']);
    expect(linesOf(merge(says(0, 'hello', 0.9), says(0.1, 'Hello', 0.9)).turns)).toEqual(['Ada: hello']);
  });

  test('leave what only one track has', () => {
    const { turns } = merge([...says(0.2, 'the plan', 0.3), ...says(6, 'I agree')], says(0, 'the plan is good', 0.9));
    expect(linesOf(turns)).toEqual(['Bo: the plan is good', 'Ada: I agree']);
  });

  test('are found on each of three tracks', () => {
    const { turns } = merge(
      says(0.2, 'good morning', 0.5),
      says(0, 'good morning', 0.9),
      says(0.4, 'good morning', 0.3),
    );
    expect(linesOf(turns)).toEqual(['Bo: good morning']);
  });
});

test('the same words more than half a second apart are two answers', () => {
  const { turns, echoes } = merge(says(0, 'yes'), says(0.6, 'yes'));
  expect([linesOf(turns), echoes]).toEqual([['Ada: yes', 'Bo: yes'], []]);
});
