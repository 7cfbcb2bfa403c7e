import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Admission } from '#shared/http/admission.ts';
import { readEnv, readPersonClaims } from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';
import { rateLimiter } from '#shared/storage/organization/rate-limits.ts';

/** Builds the admission of an endpoint from the environment of its function. */
export function admissionFromEnv(documents: DynamoDBDocumentClient): Admission {
  const { organizationClaim, rateLimits, ...limits } = readEnv({
    organizationClaim: envNames.organizationClaim,
    rateLimits: envNames.rateLimitsTable,
    pointsPerMinute: envNames.rateLimitPointsPerMinute,
    personPointsPerMinute: envNames.personPointsPerMinute,
  });
  const pointsPerMinute = wholeNumber(envNames.rateLimitPointsPerMinute, limits.pointsPerMinute);
  const personPointsPerMinute = wholeNumber(envNames.personPointsPerMinute, limits.personPointsPerMinute);
  return {
    organizationClaim,
    ...readPersonClaims(),
    rateLimiter: rateLimiter(documents, rateLimits, { pointsPerMinute, personPointsPerMinute }),
  };
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new Error(`${name} must be a whole number.`);
  return number;
}
