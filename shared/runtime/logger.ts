import { AsyncLocalStorage } from 'node:async_hooks';
import type { Allowance } from '../contracts/organization/rate-limit.ts';
import { AppError } from './errors.ts';
import { writeLogLine } from './log-line.ts';

/** Fields of a log line: ids, codes, counts and durations. Never a token, a signature, transcript text or a person's name. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

type LogContext = {
  facts: LogFacts;
  readonly startedAt: number;
  allowance?: Allowance;
};

const contexts = new AsyncLocalStorage<LogContext>();

/** Runs `work` in a log context of its own. Every line that `work` logs carries `facts`. Parallel contexts never mix. */
export function withLogContext<Result>(facts: LogFacts, work: () => Result): Result {
  return contexts.run({ facts: { ...known(), ...facts }, startedAt: performance.now() }, work);
}

/** Adds facts to the innermost log context. All lines that follow in it carry them. */
export function addToLogContext(facts: LogFacts): void {
  const context = contexts.getStore();
  if (context) context.facts = { ...context.facts, ...facts };
}

/** Milliseconds since the innermost log context began. 0 outside of a log context. */
export function elapsedMs(): number {
  const { startedAt } = contexts.getStore() ?? {};
  return startedAt === undefined ? 0 : Math.round(performance.now() - startedAt);
}

/** Stores the rate limit allowance of the request in the innermost log context. */
export function setAllowance(allowance: Allowance): void {
  const context = contexts.getStore();
  if (context) context.allowance = allowance;
}

/** The rate limit allowance of the request, or undefined if the request's points have not been counted. */
export function currentAllowance(): Allowance | undefined {
  return contexts.getStore()?.allowance;
}

function known(): LogFacts {
  return contexts.getStore()?.facts ?? {};
}

/** Writes log lines: a stable message and facts. An error is logged with its name, code and stack. */
export const log = {
  info: (message: string, facts: LogFacts = {}) => writeLogLine('INFO', message, { ...known(), ...facts }),
  warn: (message: string, error: unknown, facts: LogFacts = {}) =>
    writeLogLine('WARN', message, { ...known(), ...facts, ...(error !== undefined && { error: describe(error) }) }),
  error: (message: string, error: unknown, facts: LogFacts = {}) =>
    writeLogLine('ERROR', message, { ...known(), ...facts, error: describe(error) }),
  /** Used by `recordMetrics`: a line from which CloudWatch creates metrics. */
  metrics: (embedded: Readonly<Record<string, unknown>>) =>
    writeLogLine('INFO', 'metrics', { ...known(), ...embedded }),
};

/** Only messages of our own errors are logged. Messages of parsers and of AWS can quote customer data. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...(error instanceof AppError && { code: error.code, message: error.message }),
    ...(isServiceError(error) && { requestId: error.$metadata.requestId, status: error.$metadata.httpStatusCode }),
    stack: framesOf(error),
    ...(error.cause !== undefined && { cause: describe(error.cause) }),
  };
}

/** The frames of the stack, which begins with the message: that can look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  return stack
    .slice(at < 0 ? 0 : at + message.length)
    .split('\n')
    .filter((line) => line.startsWith('    at '));
}

function isServiceError(error: Error): error is Error & { $metadata: { requestId?: string; httpStatusCode?: number } } {
  return '$metadata' in error && typeof error.$metadata === 'object';
}
