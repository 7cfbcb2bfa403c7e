import getPort from 'get-port';
import type { TestProject } from 'vitest/node';
import { startMachine } from '../support/shared-machine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The port of the console as a deployment serves it. The buckets allow its origin, so it is known before the service starts. */
    hostedPort: number;
  }
}

/** Starts a local runner as a stage with a console, so that its issuer has people. */
export default async function startConsoleMachine(project: TestProject): Promise<() => Promise<void>> {
  const hostedPort = await getPort();
  project.provide('hostedPort', hostedPort);
  return startMachine(project, {
    console: 'true',
    consoleDomainName: 'console.example.com',
    consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/7c1e3cf4-6a0f-4c55-8d67-9f2f5f3f3a10',
    corsOrigins: `http://127.0.0.1:${hostedPort}`,
    personPointsPerMinute: '100000',
    transcriptionMinutesPerDay: '100000',
    recordingLinks: 'true',
  });
}
