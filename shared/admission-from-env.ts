import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readEnv } from './env.ts';
import type { Admission } from './http/admission.ts';
import { envNames } from './names.ts';
import { rateLimiter } from './storage/rate-limits.ts';

/** How every endpoint lets requests in, put together from its function's environment. */
export function admissionFromEnv(documents: DynamoDBDocumentClient): Admission {
  const { organizationClaim, rateLimits, pointsPerMinute } = readEnv({
    organizationClaim: envNames.organizationClaim,
    rateLimits: envNames.rateLimitsTable,
    pointsPerMinute: envNames.rateLimitPointsPerMinute,
  });
  const limit = Number(pointsPerMinute);
  if (!Number.isSafeInteger(limit)) throw new Error(`${envNames.rateLimitPointsPerMinute} is no whole number.`);
  return {
    organizationClaim,
    rateLimiter: rateLimiter(documents, rateLimits, { pointsPerMinute: limit }),
  };
}
