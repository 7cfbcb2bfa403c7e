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

/**
 * The settings of clients that read and write media, and transcripts of many hours. A range or a part has 8 MiB, which takes longer than
 * a request without a body. A call fails after three attempts of 20 seconds each at most.
 */
export const mediaClientDefaults = {
  ...clientDefaults,
  requestHandler: { ...clientDefaults.requestHandler, requestTimeout: 20_000, socketTimeout: 10_000 },
};
