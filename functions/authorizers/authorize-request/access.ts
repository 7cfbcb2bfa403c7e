import type { Access } from '#shared/runtime/access.ts';

/** The authorizer has no AWS permissions: it verifies tokens with public keys. */
export const access: Access = {};
