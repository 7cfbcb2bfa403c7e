import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of revoke-access-links. */
export const access: Access = { tables: { transcriptions: ['GetItem', 'UpdateItem'] } };
