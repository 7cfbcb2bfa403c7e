import * as z from 'zod/mini';
import { jidOf } from '../jid.ts';

/** Occupants who are no visitors, and their roles. `-` means: not in insights. */
const defaultRoles = 'focus=-,jvb=-,jibri=recorder,recorder=recorder,transcriber=captioner,jigasi=dial-in';

/** Roles of occupants by a part of their address: `<word>=<role>`, separated by commas. */
export const Roles = z
  .string()
  .check(
    z.maxLength(1000, 'must be at most 1000 characters'),
    z.regex(/^[^=,]{1,64}=[^=,]{1,64}(,[^=,]{1,64}=[^=,]{1,64})*$/, 'must be <word>=<role>, separated by commas'),
  );

/**
 * The role of a service: by the node of its address, then by its resource, then by the first label of its host. Undefined for people.
 * Roles of the connection go before the defaults.
 */
export function serviceRoleOf(occupantJid: string, roles: string | undefined): string | undefined {
  const entries = [...(roles?.split(',') ?? []), ...defaultRoles.split(',')].map((entry) => entry.split('='));
  const { node, host, resource } = jidOf(occupantJid.toLowerCase());
  for (const part of [node, resource, host.split('.')[0]]) {
    const entry = entries.find(([word]) => word?.trim().toLowerCase() === part);
    if (entry) return entry[1]?.trim();
  }
  return undefined;
}
