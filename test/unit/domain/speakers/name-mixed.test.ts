import { describe, expect, test } from 'vitest';
import { erasedPrefix } from '#shared/domain/insights/participant-record.ts';
import { nobodyKnown, type PersonStay, type SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import { nameMixed, noEvidence, type SpeakerEvidence } from '#shared/domain/speakers/name-mixed.ts';
import { unnamed } from '#shared/domain/transcript/speakers.ts';
import { type SpokenItem, toTurns } from '#shared/domain/transcript/transcript.ts';
import { says, span } from '../../../support/meetings/spoken.ts';

const endedAt = '2026-03-01T10:00:00.000Z';
const stay = (participantId: string, from = -60, to = 3000, displayName = participantId): PersonStay => ({
  ...{ participantId, displayName, from, to },
});
/** Evidence of an observed session that has ended three minutes ago. */
const evidenceOf = (people: Partial<SessionPeople>, more: Partial<SpeakerEvidence> = {}): SpeakerEvidence => ({
  ...{ feed: [], hasExactTimes: true, readAt: new Date('2026-03-01T10:03:00.000Z') },
  people: { ...nobodyKnown, isObserved: true, endedAt, ...people },
  ...more,
});
const nameAll = (items: readonly SpokenItem[], evidence: SpeakerEvidence) =>
  nameMixed(items, toTurns(items, 'en-US'), evidence);
const namesIn = (items: readonly SpokenItem[], evidence: SpeakerEvidence) =>
  nameAll(items, evidence).map(({ displayName }) => displayName);

const monologue = says('Speaker 1', 20, 80);
const alone = { stays: [stay('ada', -60, 3000, 'Ada')] };

describe('by presence', () => {
  test('the only person who was there is named, and the label stays', () => {
    expect(nameAll(monologue, evidenceOf(alone))).toEqual([
      { ...{ speaker: 'Speaker 1', participantId: 'ada', displayName: 'Ada' }, source: 'presence', confidence: 1 },
    ]);
  });

  test('of two people, the one is named who speaks after the other has left', () => {
    const items = [...says('Speaker 1', 20, 60), ...says('Speaker 2', 200, 300)];
    expect(namesIn(items, evidenceOf({ stays: [stay('ada', 0, 100), stay('bo', 0)] }))).toEqual(['Speaker 1', 'bo']);
  });

  test('clocks may differ by fifteen seconds', () => {
    const from = (second: number) =>
      namesIn(says('Speaker 1', second, 300), evidenceOf({ stays: [stay('ada', 0, 100), stay('bo', 0)] }));
    expect([from(114), from(115)]).toEqual([['bo'], ['bo']]); // a second of 186 is less than a twentieth
    expect([from(100), from(90)]).toEqual([['Speaker 1'], ['Speaker 1']]);
  });

  test.each<[string, SpeakerEvidence]>([
    ['somebody else may have been there', evidenceOf({ ...alone, isObserved: false })],
    ['the session is open', evidenceOf({ ...alone, endedAt: null })],
    [
      'the session has ended less than three minutes ago',
      evidenceOf(alone, { readAt: new Date('2026-03-01T10:02:59.999Z') }),
    ],
    ['an agent was there', evidenceOf({ ...alone, others: [{ ...span('bot', 0, 3000), canBeHeard: true }] })],
    ['nothing is known', noEvidence],
    ['the only participant was an agent', evidenceOf({ others: [{ ...span('bot', 0, 3000), canBeHeard: true }] })],
    ['the person was erased', evidenceOf({ stays: [stay(`${erasedPrefix}1`, 0, 3000, '')] })],
  ])('nobody is named if %s', (_why, evidence) => {
    expect(nameAll(monologue, evidence)).toEqual([unnamed('Speaker 1')]);
  });

  test('a recorder cannot be heard', () => {
    const others = [{ ...span('rec', 0, 3000), canBeHeard: false }];
    expect(namesIn(monologue, evidenceOf({ ...alone, others }))).toEqual(['Ada']);
  });

  test('without exact times, only the one participant of the whole session is named', () => {
    const inexact = (people: Partial<SessionPeople>) =>
      namesIn(says('Speaker 1', 200, 300), evidenceOf(people, { hasExactTimes: false }));
    expect(inexact({ stays: [stay('ada', 0, 100, 'Ada'), stay('ada', 150, 160, 'Ada')] })).toEqual(['Ada']);
    expect(inexact({ stays: [stay('ada', 0, 100), stay('bo', 0)] })).toEqual(['Speaker 1']);
  });
});

const lines = [
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
] as const;
const talk = lines.flatMap(([who, from, to]) => says(who === 'ada' ? 'Speaker 1' : 'Speaker 2', from, to));
const feed = lines.map(([who, from, to]) => span(who, from + 3, to + 3));
const two = { isObserved: false, stays: [stay('ada', -60, 3000, 'Ada'), stay('bo', -60, 3000, 'Ada')] };

describe('by matching', () => {
  test('people are named by when they were active, and the second of one name has a number', () => {
    expect(nameAll(talk, evidenceOf(two, { feed }))).toMatchObject([
      { speaker: 'Speaker 1', participantId: 'ada', displayName: 'Ada', source: 'matched' },
      { speaker: 'Speaker 2', participantId: 'bo', displayName: 'Ada (2)', source: 'matched' },
    ]);
  });

  test('a name that nobody has told is the label, and a telephone number is masked', () => {
    const stays = [stay('ada', -60, 3000, ' '), stay('bo', -60, 3000, '+49 170 1234567')];
    expect(namesIn(talk, evidenceOf({ stays }, { feed }))).toEqual(['Speaker 1', '+•• ••• •••••67']);
  });

  test('nobody is named who is no person, who is not known to have been there, or whose person was erased', () => {
    const others = [{ ...span('bo', -60, 3000), canBeHeard: true }];
    const onlyAda = { stays: [stay('ada')] };
    expect(namesIn(talk, evidenceOf({ ...onlyAda, others }, { feed }))).toEqual(['ada', 'Speaker 2']);
    expect(namesIn(talk, evidenceOf({ ...onlyAda, isObserved: false }, { feed }))).toEqual(['ada', 'Speaker 2']);
    const erased = feed.map((one) =>
      one.participantId === 'bo' ? { ...one, participantId: `${erasedPrefix}1` } : one,
    );
    const stays = [stay('ada'), stay(`${erasedPrefix}1`, -60, 3000, '')];
    expect(namesIn(talk, evidenceOf({ stays }, { feed: erased }))).toEqual(['ada', 'Speaker 2']);
  });

  test('nobody is named if the times are not exact', () => {
    expect(namesIn(talk, evidenceOf(two, { feed, hasExactTimes: false }))).toEqual(['Speaker 1', 'Speaker 2']);
  });
});
