import { createHash, randomUUID } from 'node:crypto';
import type { HookMessage } from '#shared/contracts/messages.ts';
import type { Connection, StoredHook } from '#shared/contracts/platforms/connection.ts';
import { mergedSession, type PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { hooksFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import type { NewEvent } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import type { PlatformSessionStore, Wait } from '#shared/use-cases/platforms/ports.ts';
import { type TranslateHookDependencies, translateHook } from '#shared/use-cases/platforms/translate-hook.ts';

type Options = {
  readonly now: number;
  /** Whether insights say that a session has ended. Default: no. */
  readonly isClosed?: (roomSessionId: string) => boolean;
  /** Called when a webhook is about to wait, after the sessions were read. */
  readonly beforeWait?: () => Promise<void>;
};

/** Remembered sessions and waiting webhooks in memory, of one connection. */
function sessionsInMemory(
  now: () => number,
  beforeWait: () => Promise<void>,
): PlatformSessionStore & { readonly count: () => number } {
  const sessions = new Map<string, PlatformSession>();
  const waits = new Map<string, Wait & { readonly roomName: string }>();
  const inRoom = (roomName: string) => [...sessions.values()].filter((session) => session.roomName === roomName);
  return {
    count: () => waits.size,
    sessionsOf: async ({ roomName }, latestStart = '9999') =>
      inRoom(roomName).filter(({ startedAt }) => startedAt <= latestStart),
    async remember({ roomName }, session) {
      const name = `${roomName} ${session.sessionId}`;
      const known = sessions.get(name);
      const all = { ...session, ...mergedSession(known ?? session, session) };
      sessions.set(name, all);
      const isMoved = known?.startedAt !== all.startedAt || known.endedAt !== all.endedAt;
      return isMoved ? { id: randomUUID(), session: all } : undefined;
    },
    settle: async () => {},
    async park({ roomName }, { key, time }) {
      await beforeWait();
      const since = waits.get(key)?.since ?? new Date(now()).toISOString();
      const wait = { key, time, since, mark: randomUUID(), roomName };
      waits.set(key, wait);
      return wait;
    },
    async *parked({ roomName }) {
      yield [...waits.values()].filter((wait) => wait.roomName === roomName);
    },
    async unpark(_, hooks) {
      for (const { key, mark } of hooks) if (waits.get(key)?.mark === mark) waits.delete(key);
    },
  };
}

/**
 * Receives webhooks of a connection and translates them as the service does, with queue, state and clock in memory. Pointers that are sent
 * again for now are handled before the next webhook, and those for later when the time has passed.
 */
export function hookMachine(
  connection: Connection,
  { now: startsAt, isClosed = () => false, beforeWait = async () => {} }: Options,
) {
  let now = startsAt;
  let count = 0;
  const bodies = new Map<string, StoredHook>();
  const events: NewEvent[] = [];
  let queue: { readonly message: HookMessage; readonly at: number }[] = [];
  const sessions = sessionsInMemory(() => now, beforeWait);
  const deps: TranslateHookDependencies = {
    connections: { find: async () => connection },
    hooks: { get: async (key) => bodies.get(key) },
    sessions,
    insights: {
      find: async ({ roomSessionId }) =>
        (isClosed(roomSessionId) ? { endedAt: '2026-03-02T09:10:00.000Z' } : undefined) as never, // nothing else is read
    },
    manifests: { read: async () => undefined },
    platforms,
    buckets: { recordings: 'service-recordings', transcripts: 'service-transcripts' },
    timeBounds: { daysAhead: 1, daysBack: 365 },
    now: () => new Date(now),
    async sendHooks(_, messages, { delaySeconds = 0 } = {}) {
      for (const message of messages) queue.push({ message, at: now + delaySeconds * 1000 });
    },
    async sendEvents(_, sent) {
      events.push(...sent);
    },
  };
  const handle = async (message: HookMessage) => {
    count += 1;
    await translateHook(deps, message, () => {});
  };
  const handleDue = async () => {
    for (;;) {
      const due = queue.toSorted((one, other) => one.at - other.at).find(({ at }) => at <= now);
      if (!due) return;
      queue = queue.filter((each) => each !== due);
      await handle(due.message);
    }
  };
  return {
    /** Stores a webhook and translates it. */
    async receive(payload: unknown, digest: string = hashOf(payload)): Promise<void> {
      const key = `${hooksFolder(connection)}${bodies.size}.json`;
      const { organizationId, connectionId } = connection;
      bodies.set(key, { ...connection, receivedAt: new Date(now).toISOString(), payload, digest });
      await handle({ organizationId, connectionId, key });
      await handleDue();
    },
    /** Lets time pass, second by second. */
    async pass(ms: number): Promise<void> {
      const until = now + ms;
      while (now < until) {
        now += 1000;
        await handleDue();
      }
    },
    /** The events that were sent, some of them repeatedly. */
    events: (): readonly NewEvent[] => events,
    /** How many translations there were. */
    translations: () => count,
    /** How many webhooks wait. */
    waiting: () => sessions.count(),
  };
}

function hashOf(payload: unknown): string {
  return createHash('sha256').update(JSON.stringify(payload)).digest('hex');
}
