import { readEnv } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';
import { documentClient } from '#shared/storage/document-client.ts';
import { keyRateLimiter } from '#shared/storage/rate-limits.ts';
import { createHandler } from './handler.ts';

const { rateLimits } = readEnv({ rateLimits: envNames.rateLimitsTable });

export const handler = createHandler({ rateLimiter: keyRateLimiter(documentClient(), rateLimits) });
