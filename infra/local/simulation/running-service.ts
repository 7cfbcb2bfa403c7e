import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoints } from '../endpoints.ts';
import { errorCode, errorMessage, RunnerProblem } from '../problem.ts';
import { requestToken } from '../token.ts';

/** A service that `npm start` runs, as one organization reaches it. */
export type RunningService = { readonly endpoints: Endpoints; readonly getToken: () => Promise<string> };

/** Finds the service of a data directory; where none runs, that is a problem that says what to do. */
export async function findRunningService(dataDir: string, organizationId: string): Promise<RunningService> {
  const file = path.resolve(dataDir, 'endpoints.json');
  const endpoints = await readEndpoints(file);
  const getToken = () => requestToken(endpoints, organizationId);
  try {
    await getToken();
    return { endpoints, getToken };
  } catch (error) {
    const reason = error instanceof Error ? (errorCode(error.cause) ?? error.message) : errorMessage(error);
    throw new RunnerProblem(
      `The service that ${file} tells of gives no token (${reason}): start it again by npm start.`,
      {
        cause: error,
      },
    );
  }
}

async function readEndpoints(file: string): Promise<Endpoints> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new RunnerProblem(
      `No service runs here, as far as ${file} tells (${reason}): start it by npm start, and wait until it is ready. ` +
        'For another data directory, give --data-dir to both.',
      { cause: error },
    );
  }
}
