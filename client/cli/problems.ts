/** What the exit codes mean: scripts branch on them. */
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

/** The exit codes as the help tells them. */
export const exitCodeTexts: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  unexpected: 'refused, or something unexpected',
  usage: 'wrong use of the command',
  notLoggedIn: 'not logged in, unknown profile, or token refused',
  notFound: 'not found',
  transcriptionFailed: 'the transcription that was waited for has failed',
  gaveUpWaiting: 'gave up waiting (--timeout)',
  tryAgainLater: 'not reachable or busy: try again later',
  interrupted: 'interrupted by Ctrl-C',
};

/** How a command ended that is not done. */
export type Exit = Exclude<keyof typeof exitCodes, 'done'>;

type ProblemFacts = {
  /** A stable code, for scripts that read `--json`. */
  readonly code: string;
  /** What to do next. */
  readonly hint?: string | undefined;
  /** What else scripts may want to know. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
};

/** A problem as a person is told of it: what went wrong, what to do next, and the exit code. */
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

/** A command that was given something it does not take, or not given what it needs. */
export function usageProblem(message: string, hint?: string): Problem {
  return new Problem('usage', message, { code: 'usage', hint });
}
