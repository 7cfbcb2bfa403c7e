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
