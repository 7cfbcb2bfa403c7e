/** The exit codes, on which scripts branch. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  notLoggedIn: 3,
  notFound: 4,
  transcriptionFailed: 5,
  gaveUpWaiting: 6,
  tryAgainLater: 7,
  interrupted: 130,
} as const;

/** The texts of the exit codes in the help. */
export const exitCodeTexts: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'success',
  unexpected: 'refused, or unexpected error',
  usage: 'invalid arguments or options',
  notLoggedIn: 'not logged in, unknown profile, or token refused',
  notFound: 'not found',
  transcriptionFailed: 'the transcription failed (--wait)',
  gaveUpWaiting: 'the time limit ended (--timeout)',
  tryAgainLater: 'unreachable or busy: try again later',
  interrupted: 'interrupted by Ctrl-C',
};

/** The outcome of a command that did not succeed. */
export type Exit = Exclude<keyof typeof exitCodes, 'done'>;

type ProblemFacts = {
  /** A stable code, for scripts that read `--json`. */
  readonly code: string;
  /** What to do next. */
  readonly hint?: string | undefined;
  /** More facts for scripts. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

/** A problem for the person who ran the command: what went wrong, what to do next, and the exit code. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly exit: Exit;
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(exit: Exit, message: string, { code, hint, details = {}, cause }: ProblemFacts) {
    super(message, { cause });
    this.exit = exit;
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

/** A problem with the arguments or options of a command. */
export function usageProblem(message: string, hint?: string): Problem {
  return new Problem('usage', message, { code: 'usage', hint });
}
