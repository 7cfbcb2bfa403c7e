import type { Api, CallOptions } from './api.ts';
import { RateLimitedError } from './errors.ts';
import { isTemporary } from './http.ts';
import { type List, listOf } from './list.ts';
import { pause } from './signals.ts';
import type { ListNotices, Notice } from './types.ts';

/** The options of `follow`. */
export type FollowOptions = CallOptions & {
  /** Begins with the notices of this time. Default: with those that are created from now on. */
  readonly from?: string | undefined;
  /** The pause between two polls. Default: 5 seconds. */
  readonly everySeconds?: number | undefined;
};

/** A notice can be listed this long after a later one, because two writes can be visible in another order than they were made. */
const overlapMs = 60_000;
const pageSize = 100;
const longestPauseMs = 60_000;

/** The operations on notices, by which the service tells what has happened. */
export class Notices {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Lists the notices of a period within the last 30 days, the oldest first. */
  list(query: ListNotices = {}, options: CallOptions = {}): List<Notice> {
    return listOf(query, this.#api.pages('listNotices', options));
  }

  /**
   * Iterates over the notices as they are created, each once, by polling. Ends without an error when the signal is aborted. After the
   * first successful poll, temporary failures do not end it.
   */
  async *follow({ from, everySeconds = 5, ...options }: FollowOptions = {}): AsyncGenerator<Notice, void, undefined> {
    if (!(everySeconds > 0)) throw new TypeError('everySeconds must be a number greater than 0.');
    const { signal } = options;
    let seen = new SeenNotices(from ?? before(Date.now()));
    let isSkipped = from === undefined; // without a beginning, the first poll only finds what is not new
    let isReached = false;
    let failures = 0;
    while (!signal?.aborted) {
      try {
        for await (const notice of this.list({ from: seen.from, limit: pageSize }, options)) {
          if (signal?.aborted) return;
          if (seen.add(notice) && !isSkipped) yield notice;
        }
        const answeredAt = isReached ? undefined : this.#api.answeredAt;
        if (isSkipped && answeredAt !== undefined && isAhead(answeredAt)) {
          seen = new SeenNotices(before(answeredAt));
          isReached = true;
          continue;
        }
        [isSkipped, isReached, failures] = [false, true, 0];
        await pause(everySeconds * 1000, signal);
      } catch (error) {
        if (signal?.aborted) return;
        if (!isReached || !(isTemporary(error) || error instanceof RateLimitedError)) throw error;
        failures++;
        await pauseAfter(error, everySeconds * 1000 * 2 ** failures, signal);
      }
    }
  }
}

/** Waits after a failed poll, at least as long as the answer asks for. Ends early when the signal is aborted. */
async function pauseAfter(error: unknown, growingMs: number, signal: AbortSignal | undefined): Promise<void> {
  const askedMs = ((error as { readonly retryAfterSeconds?: number }).retryAfterSeconds ?? 0) * 1000;
  const pauseMs = Math.max(askedMs, Math.min(longestPauseMs, growingMs) * (0.5 + Math.random() / 2));
  await pause(pauseMs, signal).catch(() => {}); // the loop ends
}

/** True if the clock of this machine is so far ahead of the service that a poll by it would leave out what is new. */
function isAhead(answeredAt: number): boolean {
  return Date.now() - answeredAt > overlapMs / 2;
}

function before(milliseconds: number): string {
  return new Date(milliseconds - overlapMs).toISOString();
}

/** The ids of the notices that a poll can list again. */
class SeenNotices {
  readonly #createdAt = new Map<string, number>();
  /** Where the next poll begins: one minute before the latest notice. */
  from: string;

  constructor(from: string) {
    this.from = from;
  }

  /** Remembers a notice. Returns whether it is new. */
  add({ id, createdAt }: Notice): boolean {
    if (this.#createdAt.has(id)) return false;
    const time = Date.parse(createdAt);
    this.#createdAt.set(id, time);
    if (Date.parse(this.from) < time - overlapMs) {
      this.from = before(time);
      this.#forgetOlder(time - overlapMs);
    }
    return true;
  }

  #forgetOlder(time: number): void {
    for (const [id, createdAt] of this.#createdAt) {
      if (createdAt >= time) break; // they were added roughly in order, so an older one that follows is forgotten later
      this.#createdAt.delete(id);
    }
  }
}
