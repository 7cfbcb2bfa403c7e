import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';

/** A stay of a person in a session, in seconds on the clock of a recording. It can begin before the recording, and end after it. */
export type PersonStay = {
  readonly participantId: string;
  readonly displayName: string;
  readonly from: number;
  readonly to: number;
};

/** A stay of a recorder, a streamer, a captioner, an agent or a hidden participant, unless the stage says that they speak. */
export type OtherStay = ParticipantSpan & {
  /** False only for recorders. The others may play sound, although they are not named. */
  readonly canBeHeard: boolean;
};

/** Who was in a session. Recorders, streamers and other devices are no people. */
export type SessionPeople = {
  /** True if the platform told all joins and leaves. Otherwise somebody else may have been there. */
  readonly isObserved: boolean;
  /** When the session ended. Null while it is open, and if nothing is known of it. */
  readonly endedAt: string | null;
  readonly stays: readonly PersonStay[];
  readonly others: readonly OtherStay[];
};

/** Nobody is known to have been there. */
export const nobodyKnown: SessionPeople = { isObserved: false, endedAt: null, stays: [], others: [] };

/** The participants who were there only as something that is no person. Who is not known may be a person. */
export function participantsWithoutVoice({ stays, others }: SessionPeople): Set<string> {
  const people = new Set(stays.map(({ participantId }) => participantId));
  return new Set(others.map(({ participantId }) => participantId).filter((id) => !people.has(id)));
}
