import type { Endpoints } from '../shared/endpoints.ts';
import { clientSecret } from './services/issuer.ts';

/** Asks the local issuer for a token of an organization. */
export async function requestToken(
  { tokenUrl }: Endpoints,
  organizationId: string,
  signal?: AbortSignal,
): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: organizationId, client_secret: clientSecret };
  const response = await fetch(tokenUrl, { method: 'POST', body: new URLSearchParams(form), signal: signal ?? null });
  if (!response.ok) throw new Error(`${tokenUrl} gives no token: ${response.status} ${await response.text()}`);
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}
