import type { Access } from '#shared/access.ts';
import { samplesByTime } from '#shared/names.ts';

/** AWS permissions of get-session-network. */
export const access: Access = { queries: { insightFacts: [samplesByTime] } };
