import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of put-notice-events. */
export const access: Access = {
  putsEvents: true,
};
