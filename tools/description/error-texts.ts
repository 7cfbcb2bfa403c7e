import { type ErrorCode, errorStatuses, type GatewayError } from '../../shared/contracts/errors.ts';
import {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidRequest,
  RateLimited,
  RecordingNotFound,
  TranscriptionNotFound,
} from '../../shared/errors.ts';

/** Why an error is answered, and what to do. */
export type ErrorTexts = { readonly cause: string; readonly remedy: string; readonly message: string };

/** Cause and remedy of every code, and a message as it can look. `docs/api.md` says the same. */
export const errorTexts: Readonly<Record<ErrorCode, ErrorTexts>> = {
  invalid_request: {
    cause: 'the request does not fit this description, or its answer would be too large',
    remedy: 'correct what `issues` names',
    message: new InvalidRequest([]).message,
  },
  unauthorized: {
    cause: 'the token is good, but its organization claim is missing or malformed',
    remedy: 'ask for a token with one organization in that claim',
    message: 'The token\'s claim "client_id" does not name an organization.',
  },
  transcription_not_ready: {
    cause: 'a link was asked for while the transcription is in progress',
    remedy: 'ask again when `state` is `ready`',
    message: 'The transcription is in progress. Ask again when its state is "ready".',
  },
  transcription_failed: {
    cause: 'a link was asked for, and there is no file',
    remedy: 'see `failure`; create a new one',
    message: 'The transcription failed and has no file. See its "failure".',
  },
  self_hosted: {
    cause: 'the file is in your own storage',
    remedy: 'fetch it there',
    message: 'The transcript is in your own storage: this service has no access to it.',
  },
  recording_not_found: {
    cause: 'no such recording in the organization, or its event is not processed yet',
    remedy: 'send the `recording.finished` event; try again after a second',
    message: new RecordingNotFound().message,
  },
  transcription_not_found: {
    cause: 'none of this id in the organization, or deleted',
    remedy: 'take an id from the list, or from the `Location` of its creation',
    message: new TranscriptionNotFound().message,
  },
  transcript_not_found: {
    cause:
      "a live transcript that is not kept in this format, or whose event named no file in the service's bucket; or any " +
      'that was kept as long as this deployment keeps them',
    remedy: "leave `format` out; check the event's `location`",
    message: "The platform's event named no file in the service's storage.",
  },
  idempotency_key_in_use: {
    cause: 'a request with this key still runs',
    remedy: 'send the same again after `Retry-After`',
    message: new IdempotencyKeyInUse().message,
  },
  payload_too_large: {
    cause: 'body over 1 MiB',
    remedy: 'send fewer ids',
    message: 'The body must be at most 1048576 bytes.',
  },
  unsupported_media_type: {
    cause: '`Content-Type` is not `application/json`',
    remedy: 'set it',
    message: 'Send the body as Content-Type: application/json.',
  },
  idempotency_key_reused: {
    cause: 'this key was sent with another body in the last 24 hours',
    remedy: 'take a new key for each request',
    message: new IdempotencyKeyReused().message,
  },
  rate_limited: {
    cause: 'the organization has not enough points left in this minute',
    remedy: 'wait for `Retry-After`',
    message: new RateLimited(3, { limit: 1000, remaining: 2, resetsAt: 0 }).message,
  },
  internal_error: {
    cause: 'a defect of the service',
    remedy: 'try later; give the operator the `apigw-requestid`',
    message: 'Something went wrong on our side. Try again later.',
  },
  service_unavailable: {
    cause: 'something that the service depends on is slow or throttles',
    remedy: 'repeat the same request after `Retry-After` seconds (1); every call is safe to repeat',
    message: 'The service is busy. Send the same request again: what it had begun will be completed.',
  },
};

/** Errors that API Gateway answers by itself, as they look: a message and no code. `docs/api.md` says the same. */
export const gatewayErrors = {
  badRequest: {
    status: 400,
    message: 'Bad Request',
    cause: 'not HTTP, or a path that cannot be decoded',
    remedy: 'percent-encode the path as UTF-8',
  },
  unauthorized: {
    status: 401,
    message: 'Unauthorized',
    cause: 'no token, or (with an issuer of your own) one that is expired, badly signed, of another issuer or audience',
    remedy: 'get a new token; `www-authenticate` says what was wrong',
  },
  forbidden: {
    status: 403,
    message: 'Forbidden',
    cause: "with the stack's own user pool: a token that is expired, badly signed, of another issuer or scope",
    remedy: 'get a new token',
  },
  notFound: {
    status: 404,
    message: 'Not Found',
    cause: 'no such path, or not with this method (there is no 405)',
    remedy: 'compare method and path with this description',
  },
  tooLarge: {
    status: 413,
    message: 'Request Entity Too Large',
    cause: "body over the gateway's (10 MB) or Lambda's (6 MB) limit",
    remedy: 'send less',
  },
  throttled: {
    status: 429,
    message: 'Too Many Requests',
    cause: "the deployment's throttle for all organizations together, or the account's own",
    remedy: 'repeat with growing pauses: this 429 says nothing of your points, and has no `Retry-After`',
  },
  headersTooLarge: {
    status: 431,
    message: 'Request Header Fields Too Large',
    cause: 'over 10 KB of headers and request line (it can be a 400 too)',
    remedy: 'send less',
  },
  internal: {
    status: 500,
    message: 'Internal Server Error',
    cause: 'the function crashed',
    remedy: 'repeat the request',
  },
  unavailable: {
    status: 503,
    message: 'Service Unavailable',
    cause: 'the function did not answer in time',
    remedy: 'repeat the request',
  },
} as const satisfies Readonly<Record<string, GatewayError & { status: number; cause: string; remedy: string }>>;
/** One of them. */
export type GatewayErrorName = keyof typeof gatewayErrors;

/** The table of all codes, in Markdown. */
export function errorTable(): string {
  const rows = (Object.keys(errorStatuses) as ErrorCode[]).map((code) => {
    const { cause, remedy } = errorTexts[code];
    return [String(errorStatuses[code]), `\`${code}\``, cause, remedy];
  });
  return table(['Status', '`code`', 'Cause', 'Remedy'], rows);
}

/** The table of the gateway's own errors, in Markdown. */
export function gatewayErrorTable(): string {
  const rows = Object.values(gatewayErrors).map(({ status, message, cause, remedy }) => [
    String(status),
    `\`${message}\``,
    cause,
    remedy,
  ]);
  return table(['Status', '`message`', 'Cause', 'Remedy'], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
