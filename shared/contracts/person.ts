import * as z from 'zod/mini';
import { OrganizationId } from './organization.ts';

/** What a person may do: a reader may only read, an editor may also change what the organization has. */
export const Role = z.enum(['reader', 'editor']);
export type Role = z.infer<typeof Role>;

/** A person who calls the API, with the id that the issuer gave. */
export type Person = { readonly personId: string; readonly role: Role };

/** How long an access token of the people's pool is valid. Somebody who was removed can call the API for as long. */
export const personTokenMinutes = 15;

/** The group of the people's pool for a role in an organization. An organization id contains no colon, so it names one of each. */
export function groupName(organizationId: OrganizationId, role: Role): string {
  return `${organizationId}:${role}`;
}

/** The organization and role that a group of the people's pool names, or undefined if it names none. */
export function readGroupName(
  name: string,
): { readonly organizationId: OrganizationId; readonly role: Role } | undefined {
  const [id, role, ...more] = name.split(':');
  const organizationId = OrganizationId.safeParse(id);
  const parsedRole = Role.safeParse(role);
  if (!organizationId.success || !parsedRole.success || more.length > 0) return undefined;
  return { organizationId: organizationId.data, role: parsedRole.data };
}
