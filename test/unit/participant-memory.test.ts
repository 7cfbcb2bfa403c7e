import { expect, test } from 'vitest';
import { functionMb, noise, participantMemory } from '../support/participant-memory.ts';

test('the largest answer of participant detail fits into the memory of its function', async () => {
  const { statusCode, peakMb } = await participantMemory(noise, 'gzip');
  expect(statusCode).toBe(400); // too large to be sent, which is known only after most of the work
  expect(peakMb).toBeLessThan(functionMb * 0.8);
}, 60_000);
