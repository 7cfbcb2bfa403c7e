/** What the usage of a day includes of a session whose end was told: the day in UTC, and whole minutes. */
export type Counted = {
  readonly day: string;
  readonly participantMinutes: number;
  readonly recorderMinutes: number;
  readonly streamerMinutes: number;
};

/** The last notice of a session: its revision and, if it was of the end, a digest of what it told. */
export type Told = {
  readonly revision: number;
  readonly digest?: string | undefined;
  /** What usage includes of the session, since its end was told for the first time. */
  readonly counted?: Counted | undefined;
};

/** When the end of a session is told: at `at`, which later events move, but not beyond `by`. */
export type Settling = { readonly at: string; readonly by: string };
