/** Megabytes of the functions of endpoints that need more than the default. Keys are operation ids. */
export const endpointMemory: Readonly<Record<string, number>> = {
  'get-participant': 1024, // its largest answer takes more than 400 (docs/performance.md)
};
