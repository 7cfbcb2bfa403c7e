/** A session as a platform has announced it. `sessionId` is the platform's own id, or what the platform names it by. */
export type PlatformSession = {
  readonly roomName: string;
  readonly sessionId: string;
  readonly startedAt: string;
  /** Null while the platform has announced no end. */
  readonly endedAt: string | null;
};
