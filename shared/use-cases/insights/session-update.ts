import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import type { Exceeded } from '#shared/domain/insights/session/session-limits.ts';
import type { SessionLog } from '#shared/domain/insights/session/session-log.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import type { AssertTimeLeft } from '#shared/runtime/time-left.ts';
import type { FactStore, InsightStore } from './ports.ts';

/** What `recordSessionEvents` needs. */
export type RecordSessionDependencies = {
  readonly facts: FactStore;
  readonly insights: InsightStore;
  /** Days for which facts are kept, which decides when a session closes. Undefined: without limit. */
  readonly factRetentionDays?: number | undefined;
  /** Hours without an event after which an open session is closed. Undefined: sessions are never closed so. */
  readonly sessionIdleHours?: number | undefined;
  /** Seconds without an event of an ended session after which its end is told. */
  readonly sessionSettleSeconds: number;
  /** Roles whose joins are stored as those of non-participants, besides the roles that are so in every stage. */
  readonly nonParticipantRoles?: readonly string[] | undefined;
  readonly now?: () => Date;
  /** Told once for each change of a participant with more events than count. */
  readonly onLimitExceeded?: (exceeded: Exceeded) => void;
  readonly pause?: Pause;
};

/** The dependencies of one call, the session id that its facts name, and the log of the sessions with it as far as it was read. */
export type SessionUpdate = RecordSessionDependencies & {
  readonly session: SessionId;
  readonly log: SessionLog;
  readonly assertTimeLeft: AssertTimeLeft;
};

/** Reads what other workers have added to the log. */
export async function readOn({ facts, session, log }: SessionUpdate): Promise<void> {
  for (const block of await facts.readBlocks(session, log.version)) log.append(block);
}

/** Reads the stored sessions of all rooms in the log, and of these rooms. */
export function readSessions(
  { insights, session, log }: SessionUpdate,
  roomNames: readonly string[] = [],
): Promise<SessionRecord[]> {
  return insights.readSessions(session, [...new Set([...log.rooms, ...roomNames])]);
}
