import { organizationPattern } from '#shared/contracts/organization/organization-pattern.ts';
import { isRole, type Role } from '#shared/contracts/organization/person.ts';

/** The organization of a person, and the role in it. */
export type Membership = { readonly organizationId: string; readonly role: Role };

/** The group of the people's pool for a role in an organization. */
export function groupOf({ organizationId, role }: Membership): string {
  return `${organizationId}:${role}`;
}

/** The organization and role that a group of the people's pool names, or undefined if it names none. No organization id contains a colon. */
export function membershipIn(group: string): Membership | undefined {
  const [organizationId = '', role, ...more] = group.split(':');
  if (more.length > 0 || !isRole(role) || !organizationPattern.test(organizationId)) return undefined;
  return { organizationId, role };
}

/** The one membership that groups give: the higher role in the one organization. Or why they give none. */
export function membershipOf(groups: readonly string[]): Membership | 'none' | 'several' {
  const memberships = groups.flatMap((group) => membershipIn(group) ?? []);
  const [first] = memberships;
  if (!first) return 'none';
  if (memberships.some(({ organizationId }) => organizationId !== first.organizationId)) return 'several';
  return memberships.find(({ role }) => role === 'editor') ?? first;
}
