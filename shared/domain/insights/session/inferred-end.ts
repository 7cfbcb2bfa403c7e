import { createHash } from 'node:crypto';
import type { SessionEvent } from '#shared/contracts/insights/session-events.ts';
import type { SessionKey } from '../participant-record.ts';

/** Who closes a session that nobody ended: an operator, or the stage after hours without an event. */
export type ClosedBy = 'operator' | 'idle';

/** The end of a session by something other than the platform's word. */
export type InferredEnd = Extract<SessionEvent, { type: 'room.session.ended' }>;

/**
 * The end of a room's session that the platform did not tell. Its id follows from the session, the time and the reason, so the same
 * end twice is one fact. The hash keeps the id short, because a room's name can be longer than an id.
 */
export function inferredEnd(
  { organizationId, roomName, roomSessionId }: SessionKey,
  createdAt: string,
  reason: ClosedBy,
): InferredEnd {
  const identity = createHash('sha256').update(JSON.stringify([roomName, roomSessionId, createdAt]));
  return {
    id: `closed-by-${reason}-${identity.digest('base64url')}`,
    type: 'room.session.ended',
    organizationId,
    createdAt,
    inferred: true,
    reason,
    data: { roomName, roomSessionId },
  };
}
