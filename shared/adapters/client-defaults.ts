/**
 * The settings of every SDK client. A call to a hanging dependency fails after three attempts of three seconds each, so
 * that the function answers before its timeout.
 */
export const clientDefaults = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 3_000,
    socketTimeout: 3_000,
    throwOnRequestTimeout: true,
  },
};
