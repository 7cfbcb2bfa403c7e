import type { Endpoints } from '#tools/shared/endpoints.ts';

/** Requests an access token of a person in these groups from the local issuer. Throws if the stage has no people. */
export async function requestPersonToken(
  { people }: Pick<Endpoints, 'people'>,
  personId: string,
  groups: readonly string[],
): Promise<string> {
  if (!people) throw new Error('The stage has no console, so its issuer has no people.');
  const form = new URLSearchParams({ person_id: personId });
  for (const group of groups) form.append('group', group);
  const response = await fetch(people.tokenUrl, { method: 'POST', body: form });
  if (!response.ok) throw new Error(`${people.tokenUrl} returned no token: ${response.status}`);
  const { access_token } = (await response.json()) as { readonly access_token: string };
  return access_token;
}
