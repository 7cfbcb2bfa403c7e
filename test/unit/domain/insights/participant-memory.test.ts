import { expect, test } from 'vitest';
import { functionMb, largest, participantMemory } from '../../../support/insights/participant-memory.ts';

test('the largest answer of participant detail fits into the memory of its function', async () => {
  const { statusCode, peakMb } = await participantMemory(largest.gzip, 'gzip');
  expect(statusCode).toBe(200);
  expect(peakMb).toBeLessThan(functionMb * 0.55); // mostly 0.4, and 0.6 if the text of the answer were written as a whole
}, 60_000);
