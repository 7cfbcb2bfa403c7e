import type { ClientJoined, SessionFact } from '#shared/contracts/insights/session-events.ts';

/** Who has totals: people, and the recorders and streamers of the platform. */
export type VisitorKind = 'participant' | 'recorder' | 'streamer';

/** Who is connected. A connection of the kind `other` has no totals, and only participant detail shows it. */
export type ConnectionKind = VisitorKind | 'other';

/** Roles of the kind `other` in every stage. */
const otherRoles = ['captioner'];

/** A join as it is stored. The service sets the mark. No platform can, because parsing an event drops unknown fields. */
type StoredJoin = ClientJoined & { readonly isNonParticipant?: true };

/** Who connects with a join. It depends only on the stored join, so every recount gives the same kind. */
export function kindOf({ isNonParticipant, data: { roleName } }: StoredJoin): ConnectionKind {
  if (isNonParticipant) return 'other';
  return roleName === 'recorder' || roleName === 'streamer' ? roleName : 'participant';
}

/** Marks a join, which then is of the kind `other`, whatever its role. */
export function asNonParticipant(joined: ClientJoined): StoredJoin {
  return { ...joined, isNonParticipant: true };
}

/**
 * The form in which a fact is stored when it arrives: a join with one of these roles, or of those of every stage, is marked.
 * Without the mark, a changed setting would contradict the totals of sessions that were counted before.
 */
export function asStored(fact: SessionFact, nonParticipantRoles: readonly string[]): SessionFact {
  if (fact.type !== 'room.client.joined' || kindOf(fact) !== 'participant') return fact;
  return [...otherRoles, ...nonParticipantRoles].includes(fact.data.roleName) ? asNonParticipant(fact) : fact;
}
