import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Presence } from '#shared/domain/insights/presence.ts';
import { type MatchingLimits, matchingLimits, matchSpeakers } from '#shared/domain/speakers/match-speakers.ts';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import { says, span } from '../../../support/meetings/spoken.ts';

type Line = readonly [person: string, from: number, to: number];

/** Turns of many lengths: only one offset of a feed fits them. */
const lines: readonly Line[] = [
  ['ada', 0, 11],
  ['bo', 12, 19],
  ['ada', 20, 23],
  ['bo', 25, 42],
  ['ada', 43, 49],
  ['bo', 50, 52],
  ['ada', 54, 75],
  ['bo', 77, 86],
  ['ada', 87, 91],
  ['bo', 93, 113],
  ['ada', 114, 119],
  ['bo', 121, 133],
  ['ada', 134, 151],
  ['bo', 153, 156],
];
const heard = (turns: readonly Line[]) => turns.flatMap(([person, from, to]) => says(`voice of ${person}`, from, to));
const feedOf = (turns: readonly Line[], lag = 0) =>
  turns.map(([person, from, to]) => span(person, from + lag, to + lag));
const both = { 'voice of ada': 'ada', 'voice of bo': 'bo' };

/** The named speakers and their participants. */
function named(
  items: readonly SpokenItem[],
  feed: readonly ParticipantSpan[],
  { presence, ...limits }: Partial<MatchingLimits> & { presence?: Presence } = {},
): Record<string, string> {
  const names = [...matchSpeakers(items, feed, presence, { ...matchingLimits, ...limits })];
  return Object.fromEntries(names.flatMap(([speaker, name]) => (name ? [[speaker, name.participantId]] : [])));
}

describe('people who take turns of many lengths', () => {
  test.each([-15, -7, 0, 0.3, 7, 15])('are named with a feed that is %i s late', (lag) => {
    expect(named(heard(lines), feedOf(lines, lag))).toEqual(both);
  });

  test('are named with a confidence, in hundredths', () => {
    const confidence = expect.closeTo(1, 1);
    const names = matchSpeakers(heard(lines), feedOf(lines, 3));
    expect(names.get('voice of ada')).toEqual({ participantId: 'ada', confidence });
  });

  test.each([-40, -18, 18, 40])('are unnamed with a feed that is %i s late, beyond the limit', (lag) => {
    expect(named(heard(lines), feedOf(lines, lag))).toEqual({});
    expect(named(heard(lines), feedOf(lines, lag), { lagSeconds: 60 })).toEqual(both);
  });

  test('are named by a feed that comes twice, in any order, in pieces', () => {
    const pieces = feedOf(lines, 5).flatMap(({ participantId, from, to }) => [
      span(participantId, from, from + 1),
      span(participantId, from + 1.5, to),
    ]);
    fc.assert(
      fc.property(fc.shuffledSubarray([...pieces, ...pieces], { minLength: 2 * pieces.length }), (feed) => {
        expect(named(heard(lines), feed)).toEqual(both);
      }),
      { numRuns: 20 },
    );
  });
});

describe('people who take turns of ten seconds', () => {
  const regular = Array.from(
    { length: 20 },
    (_, index): Line => [index % 2 ? 'bo' : 'ada', index * 10, index * 10 + 10],
  );

  test.each([0, 3, 7, 10, -13])(
    'are unnamed with a feed that is %i s late: another offset fits about as well',
    (lag) => {
      expect(named(heard(regular), feedOf(regular, lag))).toEqual({});
    },
  );

  test('would get wrong names if too few offsets were compared', () => {
    expect(named(heard(regular), feedOf(regular, 7), { searchSeconds: 3 })).toEqual({
      'voice of ada': 'bo',
      'voice of bo': 'ada',
    });
  });

  test('are named if one of them speaks for long once', () => {
    const long: Line[] = [...regular, ['ada', 200, 290], ['bo', 290, 300]];
    expect(named(heard(long), feedOf(long, 7))).toEqual(both);
  });
});

describe('a speaker is unnamed', () => {
  test('if the person was active for less than 60 % of the time', () => {
    const half = feedOf(lines).map((each) =>
      each.participantId === 'bo' ? { ...each, to: (each.from + each.to) / 2 } : each,
    );
    expect(named(heard(lines), half)).toEqual({ 'voice of ada': 'ada' });
    expect(named(heard(lines), half, { leastScore: 0.3 })).toEqual(both);
  });

  test('if two people fit, such as two microphones of one person', () => {
    const twice = feedOf(lines).flatMap((each) =>
      each.participantId === 'ada' ? [each, { ...each, participantId: 'cy' }] : [each],
    );
    expect(named(heard(lines), twice)).toEqual({ 'voice of bo': 'bo' });
  });

  test('if two voices fit one person: a guest at the microphone, or a voice that the recognizer has split', () => {
    const split = heard(lines).map((item) =>
      item.speaker === 'voice of bo' && item.startSeconds > 60 ? { ...item, speaker: 'third voice' } : item,
    );
    expect(named(split, feedOf(lines))).toEqual({ 'voice of ada': 'ada' });
  });

  test('who speaks once: noise of anybody may fit', () => {
    const once: Line[] = [...lines, ['cy', 160, 166]];
    expect(named(heard(once), feedOf(once))).toEqual(both);
    expect(named(heard(once), feedOf(once), { chance: 1_000 })).toEqual({ ...both, 'voice of cy': 'cy' });
  });

  test('who spoke in the absence of the person, if the session is observed', () => {
    const presence = {
      connections: [span('ada', -60, 50), span('bo', -60, 200)],
      isObserved: true,
      toleranceSeconds: 15,
    };
    expect(named(heard(lines), feedOf(lines), { presence })).toEqual({ 'voice of bo': 'bo' });
    expect(named(heard(lines), feedOf(lines), { presence: { ...presence, isObserved: false } })).toEqual(both);
  });

  test('whom only a microphone heard that is never quiet', () => {
    const onlyNoise = [span('cy', -20, 200), ...feedOf(lines.filter(([person]) => person === 'bo'))];
    expect(Object.values(named(heard(lines), onlyNoise))).not.toContain('cy');
  });
});

test('nothing fits nothing', () => {
  expect(matchSpeakers([], [])).toEqual(new Map());
  expect(matchSpeakers([], feedOf(lines))).toEqual(new Map());
  expect(named(heard(lines), [])).toEqual({});
  const noTimes = [span('ada', Number.NaN, 4), span('ada', 5, 5), span('ada', 9, 2), span('ada', -1e9, -1e8)];
  expect(named(heard(lines), noTimes)).toEqual({});
  expect(named(heard(lines), [...noTimes, ...feedOf(lines)])).toEqual(both);
});

test('words without a length, and punctuation, do not matter', () => {
  const none = heard(lines).map((item): SpokenItem => ({ ...item, endSeconds: item.startSeconds }));
  expect(named(none, feedOf(lines))).toEqual({});
  const marks = heard(lines).map((item): SpokenItem => ({ ...item, kind: 'punctuation', speaker: 'nobody' }));
  expect(named([...heard(lines), ...marks], feedOf(lines))).toEqual(both);
});
