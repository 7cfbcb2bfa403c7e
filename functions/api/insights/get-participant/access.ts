import type { Access } from '#shared/runtime/access.ts';

/** AWS permissions of get-participant. */
export const access: Access = { tables: { insightFacts: ['Query'] }, readsDefaultSampleRate: true };
