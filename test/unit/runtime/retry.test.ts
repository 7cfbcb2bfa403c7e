import { describe, expect, test } from 'vitest';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';

function retrying(failures: number, maxAttempts = 4) {
  const pausesMs: number[] = [];
  let attempts = 0;
  const result = retry(async () => (attempts++ < failures ? tryAgain : 'done'), {
    maxAttempts,
    maxPauseMs: (failedAttempts) => 100 * failedAttempts,
    exhausted: 'Too busy.',
    pause: async (ms) => void pausesMs.push(ms),
  });
  return { result, pausesMs, attempts: () => attempts };
}

describe('retry', () => {
  test('returns the first result without a pause', async () => {
    const { result, pausesMs } = retrying(0);
    expect(await result).toBe('done');
    expect(pausesMs).toEqual([]);
  });

  test('pauses between attempts for a random time within the limit of the attempt', async () => {
    const runs = Array.from({ length: 50 }, () => retrying(3));
    for (const { result, pausesMs } of runs) {
      expect(await result).toBe('done');
      expect(pausesMs).toHaveLength(3);
      for (const [index, ms] of pausesMs.entries()) {
        expect(ms).toBeGreaterThanOrEqual(0);
        expect(ms).toBeLessThanOrEqual(100 * (index + 1));
      }
    }
    expect(new Set(runs.map(({ pausesMs }) => pausesMs[0])).size).toBeGreaterThan(1);
  });

  test('throws after the last attempt, without another pause', async () => {
    const { result, pausesMs, attempts } = retrying(4);
    await expect(result).rejects.toThrow(new ServiceUnavailable('Too busy.'));
    expect([attempts(), pausesMs.length]).toEqual([4, 3]);
  });

  test('does not repeat an attempt that throws', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts++;
      throw new Error('gone');
    };
    await expect(retry(attempt, { maxAttempts: 4, maxPauseMs: () => 0, exhausted: '' })).rejects.toThrow('gone');
    expect(attempts).toBe(1);
  });
});
