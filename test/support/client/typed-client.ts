import { Roomscribe, type RoomscribeOptions } from '#client/index.ts';
import { assertDescribed } from '../docs/described.ts';
import { endpoints } from '../machine.ts';

/** A `fetch` that checks every answer of the API against the description. */
export const describedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { method, url } = new Request(input, { method: init?.method ?? 'GET' });
  if (url.startsWith(endpoints.apiUrl)) {
    const { pathname, search } = new URL(url);
    const { status, headers } = response;
    const text = await response.clone().text();
    assertDescribed(method, `${pathname}${search}`, { status, headers: Object.fromEntries(headers), text });
  }
  return response;
};

/** The typed client of an organization on the shared local runner. */
export function roomscribeOf(organizationId: string, options: Partial<RoomscribeOptions> = {}): Roomscribe {
  const { apiUrl, tokenUrl } = endpoints;
  const credentials = { clientId: organizationId, clientSecret: 'local' };
  return new Roomscribe({ apiUrl, tokenUrl, ...credentials, fetch: describedFetch, ...options });
}
