import { expect, test } from 'vitest';
import { largestChange, maxItemsPerTransaction } from '#shared/domain/change-size.ts';

test('the largest change of a session fits into one DynamoDB transaction', () => {
  expect(largestChange).toBeLessThanOrEqual(maxItemsPerTransaction);
});
