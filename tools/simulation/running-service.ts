import { type Endpoints, readEndpoints } from '../shared/endpoints.ts';
import { errorCode, errorMessage } from '../shared/error-details.ts';
import { requestToken } from '../shared/token.ts';
import { UserError } from '../shared/user-error.ts';

/** A running `npm start`, accessed as one organization. */
export type RunningService = { readonly endpoints: Endpoints; readonly getToken: () => Promise<string> };

/** Finds the service that uses a data directory. Throws a UserError if none is running. */
export async function findRunningService(dataDir: string, organizationId: string): Promise<RunningService> {
  const endpoints = await readEndpoints(dataDir);
  const getToken = () => requestToken(endpoints, organizationId);
  try {
    await getToken();
    return { endpoints, getToken };
  } catch (error) {
    const reason = error instanceof Error ? (errorCode(error.cause) ?? error.message) : errorMessage(error);
    throw new UserError(`The service of ${dataDir} returned no token (${reason}). Start it again with npm start.`, {
      cause: error,
    });
  }
}
