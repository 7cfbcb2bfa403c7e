import * as z from 'zod/mini';

/** Every error code of the API with its status. Errors of the gateway have no code. */
export const errorStatuses = {
  invalid_request: 400,
  unauthorized: 401,
  transcription_not_ready: 403,
  transcription_failed: 403,
  self_hosted: 403,
  recording_links_disabled: 403,
  webhook_is_disabled: 403,
  too_many_webhooks: 403,
  not_an_editor: 403,
  no_organization: 403,
  recording_not_found: 404,
  transcription_not_found: 404,
  transcript_not_found: 404,
  recording_file_not_found: 404,
  speaker_not_found: 404,
  participant_not_found: 404,
  link_not_found: 404,
  webhook_not_found: 404,
  notice_not_found: 404,
  idempotency_key_in_use: 409,
  replay_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  rate_limited: 429,
  too_many_deletions: 429,
  too_many_minutes: 429,
  too_many_replays: 429,
  internal_error: 500,
  service_unavailable: 503,
} as const;
/** Statuses after which the same request can succeed later: key in use, a limit used up, service busy. They carry `Retry-After`. */
export const repeatableStatuses: readonly number[] = [409, 429, 503];
/** An error code of the API. */
export type ErrorCode = keyof typeof errorStatuses;

/** One problem of an invalid request. */
export const ErrorIssue = z.object({ path: z.string(), message: z.string() });

/** The body of an error. Clients branch on `code`. `message` is for people. `issues` is present with `invalid_request`. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.enum(Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]),
  issues: z.optional(z.array(ErrorIssue)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The body of an error that API Gateway returns before or instead of a function. It has no code and no issues. */
export const GatewayError = z.strictObject({ message: z.string() });
export type GatewayError = z.infer<typeof GatewayError>;
