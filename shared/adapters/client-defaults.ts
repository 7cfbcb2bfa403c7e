/**
 * What every SDK client is built with. A dependency that hangs is given up after three seconds a try and three tries, so
 * that our own answer comes before the function's timeout.
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
