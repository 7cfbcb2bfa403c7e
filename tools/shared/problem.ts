/** Something the person at the terminal can put right: its message says what to do, and is shown without a stack. */
export class RunnerProblem extends Error {
  override readonly name = 'RunnerProblem';
}

/** The `code` of a system error such as `EADDRINUSE`; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
