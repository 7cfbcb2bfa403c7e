import { setTimeout as delay } from 'node:timers/promises';

const firstWaitMs = 20;
const longestWaitMs = 300;

/**
 * Retries until `attempt` does not throw, and returns its result. Throws its last error after the time limit. The waits
 * grow, because each attempt takes time from the work that the test waits for.
 */
export async function eventually<Value>(attempt: () => Promise<Value> | Value, limitMs = 15_000): Promise<Value> {
  const givesUpAt = Date.now() + limitMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > givesUpAt) throw error;
    }
    await delay(waitMs);
  }
}
