import { describe, expect, test } from 'vitest';
import type { PersonStay } from '#shared/domain/insights/session/session-people.ts';
import { nameTracks, type TrackVoice } from '#shared/domain/speakers/name-tracks.ts';
import { maskedNumber } from '#shared/domain/speakers/participant-names.ts';
import { turn } from '../../../support/transcriptions/transcripts.ts';

const voice = (number: number, participantId: string, facts: Partial<TrackVoice> = {}): TrackVoice => ({
  ...{ speaker: `Speaker ${number}`, participantId, input: 'microphone' },
  ...facts,
});
const stay = (participantId: string, displayName: string, from = 0, to = 600): PersonStay => ({
  ...{ participantId, displayName, from, to },
});
const speaks = (number: number, startSeconds: number, endSeconds: number) =>
  turn({ speaker: `Speaker ${number}`, startSeconds, endSeconds });
const namesOf = (voices: readonly TrackVoice[], stays: readonly PersonStay[], turns = [speaks(1, 0, 10)]) =>
  nameTracks(voices, turns, { stays }).map(({ displayName }) => displayName);

test('a microphone is named after its participant, for certain', () => {
  expect(nameTracks([voice(1, 'p1')], [speaks(1, 0, 10)], { stays: [stay('p1', ' Ada ')] })).toEqual([
    {
      ...{ speaker: 'Speaker 1', participantId: 'p1', displayName: 'Ada', input: 'microphone' },
      ...{ source: 'track', confidence: 1 },
    },
  ]);
});

test('a screen has the name of its participant, and says so', () => {
  expect(namesOf([voice(1, 'p1'), voice(2, 'p1', { input: 'screen' })], [stay('p1', 'Ada')])).toEqual([
    'Ada',
    'Ada (screen)',
  ]);
});

describe('the name of a participant who changed it', () => {
  const stays = [stay('p1', 'Guest', 0, 100), stay('p1', 'Ada', 100, 200), stay('p1', 'Ada L.', 300, 400)];

  test('is the one during most of the speaker’s turns', () => {
    expect(namesOf([voice(1, 'p1')], stays, [speaks(1, 10, 20), speaks(1, 110, 160)])).toEqual(['Ada']);
    expect(namesOf([voice(1, 'p1')], stays, [speaks(1, 10, 90), speaks(1, 110, 160)])).toEqual(['Guest']);
  });

  test('is the last one if the participant spoke while they were not there, as wrong clocks say', () => {
    expect(namesOf([voice(1, 'p1')], stays, [speaks(1, 210, 220)])).toEqual(['Ada L.']);
  });

  test('is never empty', () => {
    expect(namesOf([voice(1, 'p1')], [stay('p1', 'Ada', 0, 5), stay('p1', ' ', 5, 600)])).toEqual(['Ada']);
  });
});

test('who has no name keeps the name of the speaker, but not the participant of somebody else', () => {
  const [one, two] = nameTracks([voice(1, 'p1'), voice(2, 'p2')], [], { stays: [stay('p2', '')] });
  expect(one).toMatchObject({ participantId: 'p1', displayName: 'Speaker 1' });
  expect(two).toMatchObject({ participantId: 'p2', displayName: 'Speaker 2' });
});

test('the second participant of a name gets a number, which no other name has', () => {
  const voices = ['p1', 'p2', 'p3', 'p4'].map((id, index) => voice(index + 1, id));
  const stays = [stay('p1', 'Ada'), stay('p2', 'Ada (2)'), stay('p3', 'Ada'), stay('p4', 'Ada')];
  expect(namesOf(voices, stays)).toEqual(['Ada', 'Ada (2)', 'Ada (3)', 'Ada (4)']);
});

test('a number makes no name that another participant has', () => {
  const voices = [voice(1, 'p1'), voice(2, 'p2', { input: 'screen' }), voice(3, 'p3')];
  const stays = [stay('p1', 'Ada'), stay('p2', 'ada\u200b'), stay('p3', 'Ada\u00a0(2)')];
  expect(namesOf(voices, stays)).toEqual(['Ada', 'ada (3) (screen)', 'Ada (2)']);
});

test('the voices at one microphone have the name and numbers', () => {
  const voices = [voice(1, 'p1', { voice: 1 }), voice(2, 'p1', { voice: 2 })];
  expect(namesOf(voices, [stay('p1', 'Room 4')])).toEqual(['Room 4, speaker 1', 'Room 4, speaker 2']);
});

test.each([
  ['+49 170 1234567', '+•• ••• •••••67'],
  ['(0170) 123-4567', '(••••) •••-••67'],
  ['004917012345678', '•••••••••••••78'],
  ['＋４９１７０１２３４５６７', '+••••••••••67'],
  ['+49\u2011170\u20111234567', '+••\u2010•••\u2010•••••67'],
  ['٠١٢٣٤٥٦٧٨٩', '••••••••٨٩'],
  ['tel:+491701234567', 'tel:+••••••••••67'],
  ['tel: Ada 1234567', 'tel: Ada 1234567'],
  ['Saal ７', 'Saal ７'],
  ['Room 4', 'Room 4'],
  ['2026', '2026'],
  ['Agent 007 0123456', 'Agent 007 0123456'],
  ['123.456', '123.456'],
])('the name %s is shown as %s', (name, shown) => {
  expect(maskedNumber(name)).toBe(shown);
});
