import type { ActivityMessage } from '../contracts/change-messages.ts';

/** A session is measured so long after somebody was heard in it. */
const delaySeconds = 600;
/** Whoever is heard within this time of a request is included: the request is handled when it is over. */
const quietMs = 300_000;
const mostSessions = 10_000;

/**
 * Returns the function that asks for the activity of a session to be measured. A platform sends an event a minute for each person who speaks, so
 * a process asks for each session once in five minutes. Call it after the event is stored: then a request that is still to be handled finds it.
 */
export function activityRequests(
  send: (message: ActivityMessage, delaySeconds: number) => Promise<void>,
  now: () => number = Date.now,
): (session: ActivityMessage) => Promise<void> {
  const askedAt = new Map<string, number>();
  return async ({ organizationId, roomSessionId }) => {
    const session = `${organizationId}#${roomSessionId}`;
    const asksAt = now();
    if (asksAt - (askedAt.get(session) ?? Number.NEGATIVE_INFINITY) < quietMs) return;
    await send({ organizationId, roomSessionId }, delaySeconds);
    askedAt.delete(session);
    askedAt.set(session, asksAt);
    const [longestAgo] = askedAt.keys();
    if (askedAt.size > mostSessions && longestAgo !== undefined) askedAt.delete(longestAgo);
  };
}
