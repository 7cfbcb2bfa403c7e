import fc from 'fast-check';
import { expect, test } from 'vitest';
import { speakersOf, unnamedSpeakers } from '#shared/domain/transcript/speakers.ts';
import { turn } from '../../../support/transcriptions/transcripts.ts';

const from = (startSeconds: number, endSeconds: number, speaker = 'Speaker 1') =>
  turn({ speaker, startSeconds, endSeconds });

test('a speaker has the seconds, turns, share and longest turn of its own turns', () => {
  const turns = [from(0, 6), from(6, 8, 'Speaker 2'), from(8, 10)];
  expect(speakersOf(unnamedSpeakers(turns), turns)).toMatchObject([
    { speaker: 'Speaker 1', spokenSeconds: 8, turns: 2, share: 0.8, longestTurnSeconds: 6, overlapSeconds: 0 },
    { speaker: 'Speaker 2', spokenSeconds: 2, turns: 1, share: 0.2, longestTurnSeconds: 2, overlapSeconds: 0 },
  ]);
});

test('only what another speaker says at the same time is an overlap', () => {
  const turns = [from(0, 10), from(2, 4, 'Speaker 2'), from(3, 5), from(20, 30, 'Speaker 2'), from(30, 31)];
  expect(speakersOf(unnamedSpeakers(turns), turns).map(({ overlapSeconds }) => overlapSeconds)).toEqual([2, 2]);
});

test('who has no turn, and whose turns have no length, has no share', () => {
  expect(speakersOf(unnamedSpeakers([from(3, 3)]), [from(3, 3)])).toMatchObject([{ turns: 1, share: 0 }]);
  expect(speakersOf(unnamedSpeakers([from(0, 1)]), [])).toMatchObject([{ spokenSeconds: 0, turns: 0, share: 0 }]);
});

test('overlaps are those of a comparison of each turn with each other one', () => {
  const someTurns = fc.array(fc.tuple(fc.nat(50), fc.nat(20), fc.integer({ min: 1, max: 4 })), { maxLength: 20 });
  fc.assert(
    fc.property(someTurns, (parts) => {
      const turns = parts.map(([at, length, number]) => from(at, at + length, `Speaker ${number}`));
      for (const { speaker, overlapSeconds } of speakersOf(unnamedSpeakers(turns), turns)) {
        const isSaid = (second: number, isOwn: boolean) =>
          turns.some(
            (one) => (one.speaker === speaker) === isOwn && one.startSeconds <= second && one.endSeconds >= second + 1,
          );
        const expected = Array.from({ length: 71 }, (_, second) => second).filter(
          (second) => isSaid(second, true) && isSaid(second, false),
        );
        expect(overlapSeconds).toBe(expected.length);
      }
    }),
  );
});
