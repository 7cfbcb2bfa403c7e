import { describe, expect, test } from 'vitest';
import { asNonParticipant, asStored, kindOf } from '#shared/domain/insights/connection-kind.ts';
import { joined, left, started } from '../../../support/insights/session-facts.ts';

const joinAs = (roleName: string) => joined('ann', '09:00', { roleName });

describe('the kind of a connection', () => {
  test.each([
    ['recorder', 'recorder'],
    ['streamer', 'streamer'],
    ['guest', 'participant'],
    ['Recorder', 'participant'],
    ['recorders', 'participant'],
    ['captioner', 'participant'], // stored without a mark, before the role was one of non-participants
  ])('with the role %s is %s', (roleName, kind) => {
    expect(kindOf(joinAs(roleName))).toBe(kind);
  });

  test('is other if the join is marked, whatever its role', () => {
    for (const roleName of ['guest', 'captioner', 'recorder']) {
      expect(kindOf(asNonParticipant(joinAs(roleName)))).toBe('other');
    }
  });
});

describe('a join is stored', () => {
  test.each([
    ['captioner', [], 'other'],
    ['captioner', ['bot'], 'other'],
    ['bot', ['assistant', 'bot'], 'other'],
    ['bot', [], 'participant'],
    ['Bot', ['bot'], 'participant'],
    ['bot ', ['bot'], 'participant'],
    ['Captioner', [], 'participant'],
    ['recorder', ['recorder', 'captioner'], 'recorder'], // has totals of its own in every stage
    ['streamer', ['streamer'], 'streamer'],
  ] as const)('with the role %s and the roles %j of the stage as %s', (roleName, ofStage, kind) => {
    const stored = asStored(joinAs(roleName), ofStage);
    expect(stored).toEqual(kind === 'other' ? { ...joinAs(roleName), isNonParticipant: true } : joinAs(roleName));
    expect(kindOf(stored as ReturnType<typeof joined>)).toBe(kind);
  });

  test('with the same bytes as before if it has no mark, and so is every other fact', () => {
    for (const fact of [joinAs('guest'), left('ann', '09:01'), started('09:00')]) {
      expect(asStored(fact, ['bot'])).toBe(fact);
    }
  });
});
