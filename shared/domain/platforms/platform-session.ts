import type { TimeBounds } from '../insights/event-times.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** At most so many ids of connections are remembered for one session, so that its row stays small. */
export const maxRememberedParticipants = 500;

/** A number of clients, and when it was counted. */
export type ClientCount = { readonly at: string; readonly clients: number };

/** A session as a platform has announced it. `sessionId` is the platform's own id, or what the platform names it by. */
export type PlatformSession = {
  readonly roomName: string;
  readonly sessionId: string;
  readonly startedAt: string;
  /** Null while the platform has announced no end. */
  readonly endedAt: string | null;
  /** How many clients the platform counted when it last told. Only of platforms whose webhooks count. */
  readonly lastCount?: ClientCount | undefined;
  /**
   * The participant of each connection, by the platform's id of the connection. Only for webhooks that name the connection alone, such as the
   * tracks of a recording.
   */
  readonly participants?: Readonly<Record<string, string>>;
};

/** What a report says of a session. */
export type SessionReport = Pick<PlatformSession, 'startedAt' | 'endedAt' | 'lastCount'> & {
  readonly participants?: PlatformSession['participants'] | undefined;
};

/**
 * What two reports of one session say together: the earliest start, the latest end, the last count, and the participants of both up to the
 * maximum.
 */
export function mergedSession(
  one: SessionReport,
  other: SessionReport,
): Omit<PlatformSession, 'roomName' | 'sessionId'> {
  const isEarlier = Date.parse(other.startedAt) < Date.parse(one.startedAt);
  const isLater =
    other.endedAt !== null && (one.endedAt === null || Date.parse(other.endedAt) > Date.parse(one.endedAt));
  const known = new Set(Object.keys(one.participants ?? {}));
  const left = Math.max(0, maxRememberedParticipants - known.size);
  const added = Object.entries(other.participants ?? {})
    .filter(([id]) => !known.has(id))
    .slice(0, left);
  const all = [...Object.entries(one.participants ?? {}), ...added];
  const lastCount = lastOf(one.lastCount, other.lastCount);
  return {
    ...(lastCount && { lastCount }),
    startedAt: isEarlier ? other.startedAt : one.startedAt,
    endedAt: isLater ? other.endedAt : one.endedAt,
    ...(all.length > 0 && { participants: Object.fromEntries(all) }),
  };
}

/** The later count. Of two at one time, the smaller one: who joined and left at once is gone. */
function lastOf(one: ClientCount | undefined, other: ClientCount | undefined): ClientCount | undefined {
  if (!one || !other) return one ?? other;
  const laterMs = Date.parse(other.at) - Date.parse(one.at);
  return laterMs > 0 || (laterMs === 0 && other.clients < one.clients) ? other : one;
}

/**
 * Whether a session can be remembered that was announced at a time. One whose events would be refused, because they are too far from their
 * arrival, steers no other webhooks, and neither does one that ends before it starts.
 */
export function isNear(
  { startedAt, endedAt }: SessionReport,
  arrivedAt: Date,
  { daysAhead, daysBack }: TimeBounds,
): boolean {
  const isWithin = (time: string) => {
    const days = (Date.parse(time) - arrivedAt.getTime()) / dayMs;
    return days >= -daysBack && days <= daysAhead;
  };
  if (!isWithin(startedAt)) return false;
  return endedAt === null || (isWithin(endedAt) && Date.parse(endedAt) >= Date.parse(startedAt));
}
