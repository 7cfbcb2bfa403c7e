/** A stay of a person in a session, in seconds on the clock of a recording. It can begin before the recording, and end after it. */
export type PersonStay = {
  readonly participantId: string;
  readonly displayName: string;
  readonly from: number;
  readonly to: number;
};

/** Who was in a session. Recorders, streamers and other devices are no people. */
export type SessionPeople = {
  /** True if the platform told all joins and leaves. Otherwise somebody else may have been there. */
  readonly isObserved: boolean;
  readonly stays: readonly PersonStay[];
};

/** Nobody is known to have been there. */
export const nobodyKnown: SessionPeople = { isObserved: false, stays: [] };
