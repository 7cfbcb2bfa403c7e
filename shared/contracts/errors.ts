import * as z from 'zod/mini';

/** Every code an error of this API can carry, with its status. The gateway's own errors carry no code. */
export const errorStatuses = {
  invalid_request: 400,
  unauthorized: 401,
  transcription_not_ready: 403,
  transcription_failed: 403,
  self_hosted: 403,
  recording_not_found: 404,
  transcription_not_found: 404,
  transcript_not_found: 404,
  idempotency_key_in_use: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;
/** Statuses after which the same request can succeed, and which say when: a key in use, spent points, a busy service. */
export const repeatableStatuses: readonly number[] = [409, 429, 503];
/** A code that clients can branch on. */
export type ErrorCode = keyof typeof errorStatuses;

/** One problem of a request that is not valid. */
export const ErrorIssue = z.object({ path: z.string(), message: z.string() });

/** The body of every error. Branch on `code`; `message` is for people; `issues` comes with `invalid_request`. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.enum(Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]),
  issues: z.optional(z.array(ErrorIssue)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The body of the errors that API Gateway answers by itself, before or instead of a function: no code, no issues. */
export const GatewayError = z.strictObject({ message: z.string() });
export type GatewayError = z.infer<typeof GatewayError>;
