import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Admission } from './http/admission.ts';
import { envNames } from './names.ts';
import { rateLimiter } from './storage/rate-limits.ts';

/** What admission takes from the environment: every endpoint's function reads it with its own, so that all that is missing is told at once. */
export const admissionEnv = {
  organizationClaim: envNames.organizationClaim,
  rateLimits: envNames.rateLimitsTable,
  pointsPerMinute: envNames.rateLimitPointsPerMinute,
} as const;

/** How every endpoint lets requests in, put together from its function's environment. */
export function admissionFromEnv(
  documents: DynamoDBDocumentClient,
  { organizationClaim, rateLimits, pointsPerMinute }: Readonly<Record<keyof typeof admissionEnv, string>>,
): Admission {
  const limit = Number(pointsPerMinute);
  if (!Number.isSafeInteger(limit)) throw new Error(`${envNames.rateLimitPointsPerMinute} is no whole number.`);
  return {
    organizationClaim,
    rateLimiter: rateLimiter(documents, rateLimits, { pointsPerMinute: limit }),
  };
}
