import type { Access } from '#shared/runtime/access.ts';
import { indexNames } from '#shared/runtime/names.ts';

/** The index by due date spans all organizations, so the endpoint must not query it. */
const { byDueAt: _, ...indexesOfOneOrganization } = indexNames;

/** AWS permissions of list-transcriptions. */
export const access: Access = { queries: { transcriptions: Object.values(indexesOfOneOrganization) } };
