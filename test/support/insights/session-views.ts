import { isClientEvent, isSessionEvent, type SessionFact } from '#shared/contracts/insights/session-events.ts';
import { inOrder } from '#shared/domain/insights/participant-record.ts';
import { countedOf, type ParticipantLimits } from '#shared/domain/insights/session/session-limits.ts';
import { bytesOf, type SessionLog, sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { type Stay, stayOf } from '#shared/domain/insights/session/session-projection.ts';
import { type SessionView, sessionTimeline } from '#shared/domain/insights/session/session-view.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import { daily } from './session-facts.ts';

/** The log of the default session with these blocks. */
export function logOf(...blocks: readonly (readonly StoredFact[])[]): SessionLog {
  const log = sessionLog();
  for (const [index, facts] of blocks.entries()) log.append({ number: index + 1, facts, bytes: bytesOf(facts) });
  return log;
}

/** The view of the default session after these facts, as one block. */
export function viewOf(facts: readonly StoredFact[]): SessionView {
  return sessionTimeline(daily, logOf(facts)).at(1);
}

/** A participant's stay in the default room, as these facts describe it. */
export function stayIn(facts: readonly SessionFact[], participantId = 'ann', most?: ParticipantLimits): Stay {
  const endedAt = viewOf(facts).rooms.get(daily.roomName)?.endedAt ?? null;
  const retractedIds = new Set(facts.flatMap((fact) => (isSessionEvent(fact) ? [] : fact.data.eventId)));
  const own = facts.filter(isSessionEvent).filter(isClientEvent);
  const events = inOrder(own.filter(({ data }) => data.participantId === participantId));
  const counted = countedOf(participantId, events, most);
  const cutAt = counted.exceeded.find(({ limit }) => limit === 'connections')?.lastAt;
  return stayOf(counted.events, { endedAt, retractedIds }, cutAt);
}
