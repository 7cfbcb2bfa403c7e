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
import { installPackage } from './client/install-package.ts';
import { makeDataFolder } from './data-folder.ts';
import { rememberingRecognizer } from './media/remembering-recognizer.ts';

/** The local runner that all tests of a run share. */
export type SharedMachine = {
  readonly endpoints: Endpoints;
  /** The folder with `<function>.log` of every function. */
  readonly logFolder: string;
  /** The folder with the synthesized stack. */
  readonly assembly: string;
  /** `POST <invokeUrl>/<function>` invokes a function, because the runner and the tests are separate processes. */
  readonly invokeUrl: string;
  /** `GET` builds and installs the npm package when it is first asked for, and returns an `InstalledPackage`. */
  readonly packageUrl: string;
  /** A folder for the files of tests, removed after the last test. */
  readonly temporaryFolder: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    machine: SharedMachine;
  }
}

/**
 * Starts one local runner on free ports with an empty data directory before the first test. Stops it after the last.
 */
export default function startSharedMachine(project: TestProject): Promise<() => Promise<void>> {
  return startMachine(project);
}

/** Starts a local runner for the tests of a project, with other settings of the stage than those of `npm test`. Returns what stops it. */
export async function startMachine(
  project: TestProject,
  settings: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  const dataDir = await makeDataFolder('roomscribe-');
  const temporaryFolder = await mkdtemp(path.join(tmpdir(), 'roomscribe-tests-'));
  const limits = {
    rateLimitPointsPerMinute: '1000000',
    bulkDeleteIdsPerHour: '10000',
    transcriptionMinutesPerDay: '480',
  };
  const context = { ...limits, roomEventsBatchSize: '10', roomEventsBatchWindowSeconds: '0', ...settings }; // so that tests do not wait
  const transcribe = { searchPath: await rememberingRecognizer(temporaryFolder) };
  const runner = await startRunner({ port: 0, dataDir, context, transcribe });
  const server = await serveTests(runner, path.join(temporaryFolder, 'package'));
  project.provide('machine', {
    endpoints: runner.endpoints,
    logFolder: path.join(dataDir, 'logs'),
    assembly: path.join(dataDir, 'cdk.out'),
    invokeUrl: `${server.url}/invoke`,
    packageUrl: `${server.url}/package`,
    temporaryFolder,
  });
  return async () => {
    server.stop();
    await runner.stop();
    for (const folder of [dataDir, temporaryFolder]) await rm(folder, { recursive: true, force: true });
  };
}

/** Serves to the processes of the tests what this one process does for all of them. */
async function serveTests(runner: Runner, packageFolder: string) {
  let installed: ReturnType<typeof installPackage> | undefined;
  const server = createServer(
    guarded(async (request, response) => {
      if (request.url === '/package') {
        installed ??= installPackage(packageFolder);
        return answerJson(response, 200, await installed);
      }
      const body = await readBody(request, 6_000_000);
      const event: unknown = body.complete && body.bytes.length > 0 ? JSON.parse(body.bytes.toString('utf8')) : {};
      try {
        answerJson(response, 200, { returned: await runner.invoke(path.basename(request.url ?? ''), event) });
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
