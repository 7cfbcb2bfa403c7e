import { expect, test } from 'vitest';
import { measureActivity } from '#shared/use-cases/insights/measure-activity.ts';
import { daily } from '../../../support/insights/session-facts.ts';

test('an interval without length tells nothing, so a transcript can tell the talk time', async () => {
  const spans = [
    { participantId: 'ann', from: 1000, to: 1000 },
    { participantId: 'bob', from: 1000, to: 3000 },
  ];
  const measured = await measureActivity({ speech: { spansOf: async () => spans } }, daily);
  expect([...(measured?.talk ?? [])]).toEqual([['bob', 2000]]);
});
