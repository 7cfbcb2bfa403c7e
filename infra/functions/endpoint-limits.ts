import { Duration } from 'aws-cdk-lib';

/** Memory in megabytes and timeout of a function. */
type Limits = { readonly memorySize?: number; readonly timeout?: Duration };

/** The limits of the functions of endpoints that differ from those of the others. Keys are operation ids. */
export const endpointLimits: Readonly<Record<string, Limits>> = {
  'correct-speaker': { memorySize: 1024 }, // it reads the log of a session, which takes up to 550
  'get-participant': { memorySize: 1024 }, // its largest answer takes more than 400 (docs/performance.md)
  'test-webhook': { timeout: Duration.seconds(20) }, // a call of ten seconds, and what precedes it
  // Platforms wait for seconds only. More memory is more processor, so that a cold start takes a fraction of one.
  'receive-hook': { memorySize: 1024, timeout: Duration.seconds(10) },
};
