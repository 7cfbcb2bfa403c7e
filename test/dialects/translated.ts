import type { Connection, StoredHook } from '#shared/contracts/connection.ts';
import type { HookMessage } from '#shared/contracts/messages.ts';
import { mergedSession, type PlatformSession } from '#shared/domain/platform-session.ts';
import { hooksFolder } from '#shared/domain/transcript-location.ts';
import type { NewEvent } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import type { PlatformSessionStore } from '#shared/use-cases/hook-ports.ts';
import { storedHook } from '#shared/use-cases/receive-hook.ts';
import { translateHook } from '#shared/use-cases/translate-hook.ts';
import type { Target, Webhook } from './dialect.ts';

// Translates webhooks without the machine: the real signatures, use case and translators, over stores in memory. It is fast enough for
// thousands of meetings.

/** The events that webhooks of a connection become, in this order of arrival. Throws for a wrong signature. */
export async function eventsOf(
  connection: Connection,
  { url, secret }: Target,
  webhooks: readonly Webhook[],
): Promise<readonly NewEvent[]> {
  const platform = platforms[connection.platform];
  const stored = new Map<string, StoredHook>();
  const events: NewEvent[] = [];
  const waiting: HookMessage[] = [];
  const deps: Parameters<typeof translateHook>[0] = {
    ...{ platforms, sessions: sessionsInMemory(), buckets: { recordings: 'recordings', transcripts: 'transcripts' } },
    connections: { find: async () => connection },
    hooks: { get: async (key) => stored.get(key) },
    manifests: { read: async () => undefined },
    sendHooks: async (_, messages) => void waiting.push(...messages),
    sendEvents: async (_, translated) => void events.push(...translated),
  };
  for (const [index, { headers, query = '', body }] of webhooks.entries()) {
    const request = { headers, rawQueryString: query, rawBody: Buffer.from(body), url };
    const isAuthentic = platform.isAuthentic(request, { ...secret, createdAt: connection.createdAt }, new Date());
    if (!isAuthentic) throw new Error(`The signature of ${body} is wrong.`);
    const key = `${hooksFolder(connection)}${index}`;
    stored.set(key, storedHook(platform, connection, request, new Date()));
    const { connectionId, organizationId } = connection;
    waiting.push({ organizationId, connectionId, key });
    for (let next = waiting.shift(); next; next = waiting.shift()) await translateHook(deps, next, () => {});
  }
  return events;
}

/** What platforms announced, and what waits for it. */
function sessionsInMemory(): PlatformSessionStore {
  const sessions = new Map<string, Map<string, PlatformSession>>();
  const parked = new Map<string, Set<string>>();
  return {
    sessionsOf: async ({ roomName }) => [...(sessions.get(roomName)?.values() ?? [])],
    async remember({ roomName }, session) {
      const known = sessions.get(roomName) ?? new Map<string, PlatformSession>();
      sessions.set(roomName, known);
      const merged = mergedSession(known.get(session.sessionId) ?? session, session);
      known.set(session.sessionId, { ...merged, roomName, sessionId: session.sessionId });
      return 'changed';
    },
    settle: async () => {},
    async park({ roomName }, key) {
      parked.set(roomName, (parked.get(roomName) ?? new Set()).add(key));
      return { key, mark: key };
    },
    async *parked({ roomName }) {
      yield [...(parked.get(roomName) ?? [])].map((key) => ({ key, mark: key }));
    },
    async unpark({ roomName }, hooks) {
      for (const { key } of hooks) parked.get(roomName)?.delete(key);
    },
  };
}
