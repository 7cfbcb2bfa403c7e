import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { type Runner, startRunner } from '#tools/local/runner.ts';
import { answerJson, guarded, readBody } from '#tools/local/services/http.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { writePackage } from '../../client/build/package.ts';

/** The machine that all tests of a run share. */
export type SharedMachine = {
  readonly endpoints: Endpoints;
  /** Holds `<function>.log` of every function. */
  readonly logFolder: string;
  /** `POST <invokeUrl>/<function>` invokes a function: the machine runs in another process than the tests. */
  readonly invokeUrl: string;
  /** The command line as users install it, of the same run. */
  readonly commandLine: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    machine: SharedMachine;
  }
}

/** Starts one machine on free ports and an empty data directory before the first test; stops it after the last. */
export default async function startSharedMachine(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
  const packageFolder = path.join(dataDir, 'package');
  const runner = await startRunner({ port: 0, dataDir, context: { rateLimitPointsPerMinute: '1000000' } });
  await writePackage(packageFolder);
  const invoker = await serveInvocations(runner);
  project.provide('machine', {
    endpoints: runner.endpoints,
    logFolder: path.join(dataDir, 'logs'),
    invokeUrl: invoker.url,
    commandLine: path.join(packageFolder, 'cli', 'main.js'),
  });
  return async () => {
    invoker.stop();
    await runner.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

async function serveInvocations(runner: Runner) {
  const server = createServer(
    guarded(async (request, response) => {
      const body = await readBody(request, 6_000_000);
      const event: unknown = body.complete && body.bytes.length > 0 ? JSON.parse(body.bytes.toString('utf8')) : {};
      try {
        answerJson(response, 200, { returned: await runner.invoke(request.url?.slice(1) ?? '', event) });
      } catch (error) {
        answerJson(response, 200, { threw: error instanceof Error ? error.message : String(error) });
      }
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
