import * as z from 'zod/mini';
import { jidOf } from '../jid.ts';

/** Occupants who are no visitors, and their roles. `-` means: not in insights. */
const defaultRoles = 'focus=-,jvb=-,jibri=recorder,recorder=recorder,transcriber=captioner,jigasi=dial-in';

/** The first labels of hosts on which only services have accounts: no guest and no user gets an address there. */
const serviceHosts = new Set([
  ...['auth', 'hidden', 'internal'],
  ...defaultRoles.split(',').map((entry) => entry.slice(0, entry.indexOf('='))),
]);

/** Roles of occupants by a part of their address: `<word>=<role>`, separated by commas. */
export const Roles = z
  .string()
  .check(
    z.maxLength(1000, 'must be at most 1000 characters'),
    z.regex(/^[^=,]{1,64}=[^=,]{1,64}(,[^=,]{1,64}=[^=,]{1,64})*$/, 'must be <word>=<role>, separated by commas'),
  );

/**
 * The role of a service: by the node of its address, then by its resource, then by the first label of its host. Undefined for people.
 * Roles of the connection go before the defaults. A client chooses its resource, so the resource counts on hosts of services alone:
 * otherwise a guest could hide, or pass for a recorder.
 */
export function serviceRoleOf(occupantJid: string, roles: string | undefined): string | undefined {
  const entries = [...(roles?.split(',') ?? []), ...defaultRoles.split(',')].map((entry) => entry.split('='));
  const { node, host, resource } = jidOf(occupantJid.toLowerCase());
  const label = host.split('.')[0] ?? '';
  for (const part of serviceHosts.has(label) ? [node, resource, label] : [node, label]) {
    const entry = entries.find(([word]) => word?.trim().toLowerCase() === part);
    if (entry) return entry[1]?.trim();
  }
  return undefined;
}
