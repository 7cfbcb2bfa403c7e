import type { Access } from '#shared/runtime/access.ts';
import { samplesByTime } from '#shared/runtime/names.ts';

/** AWS permissions of get-session-network. */
export const access: Access = { queries: { insightFacts: [samplesByTime] } };
