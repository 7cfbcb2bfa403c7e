import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { spokenTimes } from '#shared/domain/insights/speech.ts';
import type { Measured } from '#shared/domain/insights/talk-changes.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';

/** What `measureActivity` needs. */
export type ActivityDependencies = {
  readonly speech: {
    /** Reads when participants of a session spoke, in milliseconds. Undefined: that is more than one read takes. */
    spansOf(session: SessionId): Promise<readonly ParticipantSpan[] | undefined>;
  };
};

/**
 * For how long each participant of a session was heard so far. What several events tell of the same time counts once, and intervals without
 * length tell nothing. Undefined: there is too much.
 */
export async function measureActivity(
  { speech }: ActivityDependencies,
  { organizationId, roomSessionId }: SessionId,
): Promise<Measured | undefined> {
  const spans = await speech.spansOf({ organizationId, roomSessionId });
  if (!spans) return undefined;
  const talk = new Map([...spokenTimes(spans)].filter(([, ms]) => ms > 0));
  return { of: { source: 'activity' }, revision: undefined, talk };
}
