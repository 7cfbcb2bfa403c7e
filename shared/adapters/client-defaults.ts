import type { Logger } from '@smithy/types';

/** Drops everything. For a logger with `info`, also its own that drops everything, the SDK copies input and output of every call. */
const logger = { debug: () => {}, warn: () => {}, error: () => {} } as Partial<Logger> as Logger;

/**
 * The settings of every SDK client. A call to a hanging dependency fails after three attempts of three seconds each, so
 * that the function answers before its timeout.
 */
export const clientDefaults = {
  logger,
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 3_000,
    socketTimeout: 3_000,
    throwOnRequestTimeout: true,
  },
};
