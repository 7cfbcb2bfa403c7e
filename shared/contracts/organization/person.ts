/** What a person may do: a reader may only read, an editor may also change what the organization has. */
export const roles = ['reader', 'editor'] as const;
/** The role of a person in an organization. */
export type Role = (typeof roles)[number];

/** A person who calls the API, with the id that the issuer gave. */
export type Person = { readonly personId: string; readonly role: Role };

/**
 * The custom attribute of the people's pool with the organization that has invited a person. It gives no right: groups do. By it the commands
 * find a person whose invitation was not completed.
 */
export const invitedBy = 'organization';

/** How long an access token of the people's pool is valid. Somebody who was removed can call the API for as long. */
export const personTokenMinutes = 15;

/** What the authorizer passes to the endpoint for a person, beside the organization. */
export const personFields = { personId: 'personId', role: 'role' } as const;

/** What the authorizer passes to the endpoint in place of an organization, if a person has none or several: which of both. */
export const membershipRefusal = 'membershipRefusal';

/** True for the name of a role. */
export function isRole(value: unknown): value is Role {
  return roles.some((role) => role === value);
}
