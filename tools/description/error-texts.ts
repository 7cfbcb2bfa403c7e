import { type ErrorCode, errorStatuses, type GatewayError } from '#shared/contracts/common/errors.ts';
import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidRequest,
  LinkNotFound,
  NoOrganization,
  NotAnEditor,
  NoticeNotFound,
  ParticipantNotFound,
  RateLimited,
  RecordingLinksDisabled,
  RecordingNotFound,
  ReplayInProgress,
  SpeakerNotFound,
  TooManyDeletions,
  TooManyMinutes,
  TooManyReplays,
  TooManyWebhooks,
  TranscriptionNotFound,
  WebhookIsDisabled,
  WebhookNotFound,
} from '#shared/runtime/errors.ts';

/** The cause and the remedy of an error, and an example of its message. */
export type ErrorTexts = { readonly cause: string; readonly remedy: string; readonly message: string };

/** Texts of error codes that differ from those of other operations. */
export type OwnErrorTexts = Readonly<Partial<Record<ErrorCode, ErrorTexts>>>;

/** The texts of every error code, which are a table in the introduction of the description. */
export const errorTexts: Readonly<Record<ErrorCode, ErrorTexts>> = {
  invalid_request: {
    cause: 'the request does not match this description, or its answer would be too large',
    remedy: 'correct the values that `issues` names',
    message: new InvalidRequest([]).message,
  },
  unauthorized: {
    cause:
      'the token is malformed, expired, badly signed, or from another issuer or scope, or is not sent as `Bearer`; or its ' +
      'organization claim is missing or malformed',
    remedy: 'request a new token, once; `message` has the reason',
    message: 'The token\'s claim "client_id" does not name an organization.',
  },
  transcription_not_ready: {
    cause: 'a link was requested while the transcription is in progress',
    remedy: 'try again when `state` is `ready`',
    message: 'The transcription is in progress. Ask again when its state is "ready".',
  },
  transcription_failed: {
    cause: 'a link was requested for a failed transcription, which has no file',
    remedy: 'see `failure`; create a new transcription',
    message: 'The transcription failed and has no file. See its "failure".',
  },
  self_hosted: {
    cause: 'the file is in your own storage',
    remedy: 'download it from there',
    message: 'The transcript is in your own storage: this service has no access to it.',
  },
  recording_not_found: {
    cause:
      'the organization has no such recording, its event is not processed yet, or the recording is still open: only tracks of it were reported',
    remedy:
      'send the `recording.finished` event; try again after a second; `GET /v1/events/refused` lists refused events',
    message: new RecordingNotFound().message,
  },
  transcription_not_found: {
    cause: 'the organization has no transcription with this id, or it was deleted',
    remedy: 'use an id from the list, or from the `Location` of its creation',
    message: new TranscriptionNotFound().message,
  },
  transcript_not_found: {
    cause:
      "a live transcript has no file in this format; or its event named no file in the service's bucket; or the " +
      'deployment no longer keeps the transcript',
    remedy: "leave `format` out; check the event's `location`",
    message: "The platform's event named no file in the service's storage.",
  },
  recording_file_not_found: {
    cause:
      'the recording of the transcription has no such file: no mixed one, no track of this participant, or it was removed; or the transcription is live',
    remedy: 'use a `participantId` that `message` names',
    message: 'The file of the recording does not exist (any more).',
  },
  speaker_not_found: {
    cause: 'the transcription has no such speaker, or it is not ready',
    remedy: 'use a `speaker` of the transcription',
    message: new SpeakerNotFound().message,
  },
  participant_not_found: {
    cause: "the transcription's session has no participant with this id",
    remedy: 'use an id from the list of participants, or give a `displayName`',
    message: new ParticipantNotFound().message,
  },
  link_not_found: {
    cause:
      'a link of this API has expired, was revoked, or never existed; or its transcription was deleted or is no longer kept',
    remedy: 'request a new link',
    message: new LinkNotFound().message,
  },
  webhook_not_found: {
    cause: 'the organization has no webhook with this id, or it was deleted',
    remedy: 'use an id from the list, or from the answer of its creation',
    message: new WebhookNotFound().message,
  },
  notice_not_found: {
    cause: 'the organization has no notice with this id, or it has expired',
    remedy: 'use an id from the list of notices',
    message: new NoticeNotFound(noticeDays).message,
  },
  replay_in_progress: {
    cause: 'an earlier replay to this webhook is still running',
    remedy: 'try again when `replay.state` of the webhook is `finished`',
    message: new ReplayInProgress().message,
  },
  recording_links_disabled: {
    cause: 'the deployment allows no links to recordings',
    remedy: 'ask the operator to set `recordingLinks=true`',
    message: new RecordingLinksDisabled().message,
  },
  webhook_is_disabled: {
    cause: 'a replay or a test was requested for a disabled webhook',
    remedy: 'enable the webhook first',
    message: new WebhookIsDisabled().message,
  },
  too_many_webhooks: {
    cause: 'the organization has as many webhooks as it may have',
    remedy: 'delete one, or ask the operator for more (`webhooksPerOrganization`)',
    message: new TooManyWebhooks(20).message,
  },
  not_an_editor: {
    cause: 'the token is of a person who may only read',
    remedy: 'let an editor do it, or ask the operator for the role',
    message: new NotAnEditor().message,
  },
  no_organization: {
    cause: 'the token is of a person who has no role in an organization, or roles in several',
    remedy: 'ask the operator for a role in one organization, then log in again',
    message: new NoOrganization().message,
  },
  idempotency_key_in_use: {
    cause: 'a request with this key is still running',
    remedy: 'send the same request again after `Retry-After`',
    message: new IdempotencyKeyInUse().message,
  },
  payload_too_large: {
    cause:
      'the body is over 1 MiB; or the request costs more points than the organization, or the person, has in a minute',
    remedy: 'send fewer ids',
    message: 'The body must be at most 1048576 bytes.',
  },
  unsupported_media_type: {
    cause: '`Content-Type` is not `application/json`',
    remedy: 'set the header to `application/json`',
    message: 'Send the body as Content-Type: application/json.',
  },
  idempotency_key_reused: {
    cause: 'this key was sent with another body in the last 24 hours',
    remedy: 'use a new key for each request',
    message: new IdempotencyKeyReused().message,
  },
  rate_limited: {
    cause: 'the organization, or the person, does not have enough points left in this minute',
    remedy: 'wait for `Retry-After`',
    message: new RateLimited({ limit: 1000, remaining: 2, resetsAt: 0 }, 3).message,
  },
  too_many_deletions: {
    cause: 'the organization does not have enough ids left that it may delete in bulk in this hour',
    remedy: 'wait for `Retry-After`, which can be an hour, or send fewer ids',
    message: new TooManyDeletions({ limit: 100_000, remaining: 8_000, resetsAt: 0 }, 10_000).message,
  },
  too_many_minutes: {
    cause: 'the recording is longer than what the organization may still have transcribed on this day of UTC',
    remedy: 'wait for `Retry-After`, which can be a day, or ask the operator for more',
    message: new TooManyMinutes({ limit: 1_800_000, remaining: 720, resetsAt: 0 }, 5_400).message,
  },
  too_many_replays: {
    cause: 'the organization has started as many replays of periods as it may on this day of UTC',
    remedy:
      'wait for `Retry-After`, which can be a day, replay single notices, or ask the operator for more (`replaysPerDay`)',
    message: new TooManyReplays({ limit: 50, resetsAt: 0 }).message,
  },
  internal_error: {
    cause: 'a defect of the service',
    remedy: 'try again later; give the operator the `apigw-requestid`',
    message: 'Something went wrong on our side. Try again later.',
  },
  service_unavailable: {
    cause: 'a dependency of the service is slow or throttles',
    remedy: 'send the same request again after `Retry-After` seconds (1); every call is safe to repeat',
    message: 'The service is busy. Send the same request again: it completes the work that this request began.',
  },
};

/** Errors of API Gateway, which have a message and no code: a second table there. */
export const gatewayErrors = {
  badRequest: {
    status: 400,
    message: 'Bad Request',
    cause: 'the request is not HTTP, or its path cannot be decoded',
    remedy: 'percent-encode the path as UTF-8',
  },
  unauthorized: {
    status: 401,
    message: 'Unauthorized',
    cause:
      "no token; or, with the operator's own issuer, a token that is expired, badly signed, or from another issuer or " +
      'audience',
    remedy: 'request a new token, once',
  },
  notFound: {
    status: 404,
    message: 'Not Found',
    cause: 'the path does not exist, or not with this method (there is no 405)',
    remedy: 'compare method and path with this description',
  },
  tooLarge: {
    status: 413,
    message: 'Request Entity Too Large',
    cause: 'the body is over the limit of the gateway (10 MB) or of Lambda (6 MB)',
    remedy: 'send less',
  },
  throttled: {
    status: 429,
    message: 'Too Many Requests',
    cause: "the deployment's throttle for all organizations together, or the account's throttle",
    remedy: 'repeat with increasing pauses; this 429 is independent of your points and has no `Retry-After`',
  },
  headersTooLarge: {
    status: 431,
    message: 'Request Header Fields Too Large',
    cause: 'headers and request line are over 10 KB (can also be a 400)',
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
/** The name of an error of API Gateway. */
export type GatewayErrorName = keyof typeof gatewayErrors;

/** The Markdown table of all error codes. */
export function errorTable(): string {
  const rows = (Object.keys(errorStatuses) as ErrorCode[]).map((code) => {
    const { cause, remedy } = errorTexts[code];
    return [String(errorStatuses[code]), `\`${code}\``, cause, remedy];
  });
  return table(['Status', '`code`', 'Cause', 'Remedy'], rows);
}

/** The Markdown table of API Gateway's errors. */
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
