import * as z from 'zod/mini';
import { organizationPattern } from './organization-pattern.ts';

/** An organization's id as it appears in the token and in every partition key: 1-64 of `A-Z a-z 0-9 _ -`. */
export const OrganizationId = z
  .string()
  .check(z.regex(organizationPattern, 'must be 1 to 64 letters, digits, underscores or hyphens'))
  .brand<'OrganizationId'>();
/** Only `OrganizationId` makes one, so a key cannot be built from an unchecked string. */
export type OrganizationId = z.infer<typeof OrganizationId>;
