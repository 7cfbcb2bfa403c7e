import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@aws-lambda-powertools/logger';
import { functionVersion } from './env.ts';
import { AppError } from './errors.ts';
import { versionField } from './names.ts';

/** Ids, codes, counts and durations. Never a token, a signature, transcript text or a person's name. */
export type LogFacts = Readonly<Record<string, string | number | boolean | undefined>>;

// Its level and its service's name come from the environment. By the version alarms tell new code from old.
const logger = new Logger({ persistentKeys: { [versionField]: functionVersion() } });
const context = new AsyncLocalStorage<{ facts: LogFacts }>();

/** Runs `work` with facts that every line logged meanwhile carries; parallel records never mix theirs. */
export function withLogContext<Result>(facts: LogFacts, work: () => Result): Result {
  return context.run({ facts: { ...known(), ...facts } }, work);
}

/** Adds what is found out meanwhile: the lines that follow in the innermost `withLogContext` carry it. */
export function addToLogContext(facts: LogFacts): void {
  const store = context.getStore();
  if (store) store.facts = { ...store.facts, ...facts };
}

function known(): LogFacts {
  return context.getStore()?.facts ?? {};
}

/** The one way to log: a stable message and facts. An error is described by name, code and place. */
export const log = {
  info: (message: string, facts: LogFacts = {}) => logger.info(message, { ...known(), ...facts }),
  warn: (message: string, error: unknown, facts: LogFacts = {}) =>
    logger.warn(message, { ...known(), ...facts, error: describe(error) }),
  error: (message: string, error: unknown, facts: LogFacts = {}) =>
    logger.error(message, { ...known(), ...facts, error: describe(error) }),
  /** For `recordMetrics`: a line that CloudWatch reads. */
  metrics: (embedded: Readonly<Record<string, unknown>>) => logger.info('metrics', { ...known(), ...embedded }),
};

/** Messages of foreign errors are left out: a parser's, or AWS's, quotes what it could not take. */
function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...(error instanceof AppError && { code: error.code, message: error.message }),
    ...(isServiceError(error) && { requestId: error.$metadata.requestId, status: error.$metadata.httpStatusCode }),
    stack: error.stack?.split('\n').filter((line) => line.startsWith('    at ')),
    ...(error.cause !== undefined && { cause: describe(error.cause) }),
  };
}

function isServiceError(error: Error): error is Error & { $metadata: { requestId?: string; httpStatusCode?: number } } {
  return '$metadata' in error && typeof error.$metadata === 'object';
}
