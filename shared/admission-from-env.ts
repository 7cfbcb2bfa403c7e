import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Admission } from './http/admission.ts';
import { envNames } from './names.ts';
import { rateLimiter } from './storage/rate-limits.ts';

/** The environment variables of admission. Each endpoint reads them together with its own, so one error lists all that are missing. */
export const admissionEnv = {
  organizationClaim: envNames.organizationClaim,
  rateLimits: envNames.rateLimitsTable,
  pointsPerMinute: envNames.rateLimitPointsPerMinute,
} as const;

/** Builds the admission of an endpoint from the environment of its function. */
export function admissionFromEnv(
  documents: DynamoDBDocumentClient,
  { organizationClaim, rateLimits, pointsPerMinute }: Readonly<Record<keyof typeof admissionEnv, string>>,
): Admission {
  const limit = Number(pointsPerMinute);
  if (!Number.isSafeInteger(limit)) throw new Error(`${envNames.rateLimitPointsPerMinute} must be a whole number.`);
  return {
    organizationClaim,
    rateLimiter: rateLimiter(documents, rateLimits, { pointsPerMinute: limit }),
  };
}
