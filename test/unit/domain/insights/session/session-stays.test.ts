import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { asNonParticipant } from '#shared/domain/insights/connection-kind.ts';
import { participantsWithoutVoice } from '#shared/domain/insights/session/session-people.ts';
import { peopleOf } from '#shared/domain/insights/session/session-stays.ts';
import {
  at,
  daily,
  ended,
  inferred,
  joined,
  joinsOf,
  left,
  started,
} from '../../../../support/insights/session-facts.ts';
import { logOf } from '../../../../support/insights/session-views.ts';

const whole = [started('09:00'), joined('ann', '09:01'), left('ann', '09:05'), ended('10:00')];
const peopleIn = (facts: readonly SessionFact[], roles: readonly string[] = []) =>
  peopleOf(daily, logOf(facts), at('09:01'), roles);
const of = (participantId: string, roleName: string) => joined(participantId, '09:01', { roleName });

test('stays are on the clock of the recording, and those of an ended session have an end', () => {
  expect(peopleIn([...whole, joined('bob', '09:00')])).toEqual({
    ...{ isObserved: false, endedAt: at('10:00'), others: [] },
    stays: [
      { participantId: 'ann', displayName: 'ann', from: 0, to: 240 },
      { participantId: 'bob', displayName: 'bob', from: -60, to: 3540 },
    ],
  });
});

describe('a session is observed', () => {
  test('if the platform told its start, its end, and each join and leave', () => {
    expect(peopleIn(whole)).toMatchObject({ isObserved: true, endedAt: at('10:00') });
  });

  test('and open, before its end came', () => {
    expect(peopleIn(whole.slice(0, 3))).toMatchObject({ isObserved: true, endedAt: null });
  });

  test.each<[string, readonly SessionFact[]]>([
    ['without a start', whole.slice(1)],
    ['without a leave', whole.filter(({ type }) => type !== 'room.client.left')],
    ['without a join', whole.filter(({ type }) => type !== 'room.client.joined')],
    ['with the leave of somebody who never joined', [...whole, left('bob', '09:30')]],
    ['with a guessed leave', [...whole.slice(0, 2), inferred(left('ann', '09:05')), ended('10:00')]],
    ['with a guessed end', [...whole.slice(0, 3), inferred(ended('10:00'))]],
    ['with a count of more clients', [...whole, joined('bob', '09:02', { numClients: 3 }), left('bob', '09:04')]],
    [
      'with more joins than count',
      [...whole, ...joinsOf('bob', 2501).flatMap((one) => [one, left('bob', one.createdAt)])],
    ],
  ])('not %s', (_what, facts) => {
    expect(peopleIn(facts).isObserved).toBe(false);
  });

  test('not if its first events have expired, or if nothing is known of it', () => {
    const log = logOf([started('08:00')], whole);
    expect(peopleOf(daily, { blocks: log.blocks.slice(1), isComplete: false }, at('09:01')).isObserved).toBe(false);
    expect(peopleIn([])).toEqual({ isObserved: false, endedAt: null, stays: [], others: [] });
  });
});

describe('who is no person', () => {
  const devices = [of('rec', 'recorder'), of('stream', 'streamer'), asNonParticipant(of('bot', 'assistant'))];

  test('has stays of another kind. All but a recorder can be heard', () => {
    const { stays, others } = peopleIn([...whole, ...devices]);
    expect(stays.map(({ participantId }) => participantId)).toEqual(['ann']);
    expect(others).toEqual([
      { participantId: 'rec', from: 0, to: 3540, canBeHeard: false },
      { participantId: 'stream', from: 0, to: 3540, canBeHeard: true },
      { participantId: 'bot', from: 0, to: 3540, canBeHeard: true },
    ]);
  });

  test('has no voice, unless the same participant was there as a person too', () => {
    const people = peopleIn([...whole, ...devices, joined('stream', '09:30')]);
    expect([...participantsWithoutVoice(people)]).toEqual(['rec', 'bot']);
  });

  test('is a person with a role that the stage lists', () => {
    const people = peopleIn([...whole, ...devices], ['assistant', 'streamer']);
    expect(people.stays.map(({ participantId }) => participantId)).toEqual(['ann', 'stream', 'bot']);
    expect([...participantsWithoutVoice(people)]).toEqual(['rec']);
  });
});
