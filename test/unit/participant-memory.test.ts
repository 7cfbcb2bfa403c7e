import { expect, test } from 'vitest';
import { functionMb, largest, participantMemory } from '../support/participant-memory.ts';

test('the largest answer of participant detail fits into the memory of its function', async () => {
  const { statusCode, peakMb } = await participantMemory(largest.gzip, 'gzip');
  expect(statusCode).toBe(200);
  expect(peakMb).toBeLessThan(functionMb * 0.9); // mostly below 0.8. It differs by when the garbage is collected
}, 60_000);
