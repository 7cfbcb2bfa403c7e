/** At most so many ids of connections are remembered for one session, so that its row stays small. */
export const maxRememberedParticipants = 500;

/** A session as a platform has announced it. `sessionId` is the platform's own id, or what the platform names it by. */
export type PlatformSession = {
  readonly roomName: string;
  readonly sessionId: string;
  readonly startedAt: string;
  /** Null while the platform has announced no end. */
  readonly endedAt: string | null;
  /**
   * The participant of each connection, by the platform's id of the connection. Only for webhooks that name the connection alone, such as the
   * tracks of a recording.
   */
  readonly participants?: Readonly<Record<string, string>>;
};

/** What a report says of a session. */
export type SessionReport = Pick<PlatformSession, 'startedAt' | 'endedAt'> & {
  readonly participants?: PlatformSession['participants'] | undefined;
};

/** What two reports of one session say together: the earliest start, the latest end, and the participants of both up to the maximum. */
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
  return {
    startedAt: isEarlier ? other.startedAt : one.startedAt,
    endedAt: isLater ? other.endedAt : one.endedAt,
    ...(all.length > 0 && { participants: Object.fromEntries(all) }),
  };
}
