/** The last notice of a session: its revision and, if it was of the end, a digest of what it told. */
export type Told = { readonly revision: number; readonly digest?: string | undefined };

/** When the end of a session is told: at `at`, which later events move, but not beyond `by`. */
export type Settling = { readonly at: string; readonly by: string };
