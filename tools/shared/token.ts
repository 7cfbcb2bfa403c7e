import type { Endpoints } from './endpoints.ts';

/** The secret of every client of the local issuer. */
export const clientSecret = 'local';

/** The organization of the demo, and of the token that `npm start` and its page of the API show. */
export const demoOrganization = 'acme';

/** Requests an access token for an organization from the local issuer. Throws if the issuer refuses. */
export async function requestToken(
  { tokenUrl }: Pick<Endpoints, 'tokenUrl'>,
  organizationId: string,
  signal?: AbortSignal,
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: organizationId, client_secret: clientSecret };
  const response = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form), signal: signal ?? null });
  if (!response.ok) throw new Error(`${tokenUrl} returned no token: ${response.status} ${await response.text()}`);
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}
