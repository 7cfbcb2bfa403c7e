import { describe, expect, test } from 'vitest';
import type { Presence } from '#shared/domain/insights/presence.ts';
import { type MatchingLimits, matchingLimits, matchSpeakers } from '#shared/domain/speakers/match-speakers.ts';
import { nameSpeakers } from '#shared/domain/speakers/name-speakers.ts';
import { judge } from '../../../support/meetings/judge.ts';
import { seededMeeting } from '../../../support/meetings/seeded-meeting.ts';

const meetings = 200;
const nobodyIsAbsent = (presence: Presence): Presence => ({ ...presence, isObserved: false });

test('nobody has a wrong name in seeded meetings with late feeds, noise, gaps and wrong clocks', () => {
  const unnamed = { words: 0, all: 0 };
  for (let seed = 1; seed <= meetings; seed += 1) {
    const meeting = seededMeeting(seed);
    const { wrong, guests, words, unnamedWords } = judge(meeting, nameSpeakers(meeting.items, meeting));
    expect([...wrong, ...guests], `seed ${seed}: ${meeting.traits.join(', ')}`).toEqual([]);
    unnamed.words += unnamedWords;
    unnamed.all += words;
  }
  expect(unnamed.words / unnamed.all).toBeLessThan(0.75); // who names nobody makes no mistake either
});

/** Wrong names and names of guests in a seeded meeting, with some limits and another presence. */
function mistakes(seed: number, limits: Partial<MatchingLimits>, known: (presence: Presence) => Presence) {
  const meeting = seededMeeting(seed);
  const { items, feed, presence } = meeting;
  const { wrong, guests } = judge(
    meeting,
    matchSpeakers(items, feed, known(presence), { ...matchingLimits, ...limits }),
  );
  return [...wrong, ...guests];
}

test('nobody has a wrong name where somebody is missing in the feed, and another speaker is split', () => {
  // One to one, the split speaker fits less of its words than the other one would with a wrong offset.
  expect(mistakes(1003646, {}, (presence) => presence)).toEqual([]);
});

describe('without one of the limits, somebody has a wrong name', () => {
  const asKnown = (presence: Presence) => presence;
  test.each<readonly [string, number, Partial<MatchingLimits>, (presence: Presence) => Presence]>([
    ['the least score', 2651, { leastScore: 0 }, asKnown],
    ['the margin to the next person', 3634, { mostNext: 1 }, asKnown],
    ['the share of the next speaker', 178, { rival: 1 }, asKnown],
    ['the doubt about offsets', 57, { doubt: 0 }, asKnown],
    ['the range of offsets', 86, { searchSeconds: 5 }, asKnown],
    ['the bound of chance', 1281, { chance: Number.POSITIVE_INFINITY }, asKnown],
    ['presence', 41, {}, nobodyIsAbsent],
    ['the margin, where two are merged', 1002350, { mostNext: 1 }, asKnown],
  ])('%s (seed %i)', (_, seed, limits, known) => {
    expect(mistakes(seed, {}, asKnown)).toEqual([]);
    expect(mistakes(seed, limits, known)).not.toEqual([]);
  });
});
