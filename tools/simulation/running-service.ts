import { type Endpoints, readEndpoints } from '../shared/endpoints.ts';
import { errorCode, errorMessage } from '../shared/error-details.ts';
import { requestToken } from '../shared/token.ts';
import { UserError } from '../shared/user-error.ts';

/** A service that `npm start` runs, as one organization reaches it. */
export type RunningService = { readonly endpoints: Endpoints; readonly getToken: () => Promise<string> };

/** Finds the service of a data directory; where none runs, that is a problem that says what to do. */
export async function findRunningService(dataDir: string, organizationId: string): Promise<RunningService> {
  const endpoints = await readEndpoints(dataDir);
  const getToken = () => requestToken(endpoints, organizationId);
  try {
    await getToken();
    return { endpoints, getToken };
  } catch (error) {
    const reason = error instanceof Error ? (errorCode(error.cause) ?? error.message) : errorMessage(error);
    throw new UserError(`The service of ${dataDir} gives no token (${reason}): start it again by npm start.`, {
      cause: error,
    });
  }
}
