import type { ConnectionSecret } from '#shared/contracts/platforms/connection.ts';
import { hasBearer } from '../bearer.ts';
import type { SignedRequest } from '../platform.ts';

/**
 * True if the request carries the connection's secret as its bearer token. event_sync signs nothing: it sends the headers that it is told to
 * send.
 */
export function isAuthentic({ headers }: SignedRequest, { value }: ConnectionSecret): boolean {
  return hasBearer(headers.authorization, value) ?? false;
}
