/** A problem in a request: its path, and the rule that it breaks. */
export type Issue = { readonly path: string; readonly message: string };

/** Base class of the service's own errors. `code` is stable. Each class sets `name`, because minified code loses class names. */
export abstract class AppError extends Error {
  abstract readonly code: string;
}

/** A class of errors whose message is always the same. */
const fixedError = <Code extends string>(className: string, code: Code, message: string) =>
  class extends AppError {
    readonly code = code;
    override readonly name = className;
    constructor() {
      super(message);
    }
  };

/** The request is not valid. `issues` lists every problem. */
export class InvalidRequest extends AppError {
  readonly code = 'invalid_request';
  override readonly name = 'InvalidRequest';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super('The request is not valid: see issues.', options);
    this.issues = issues;
  }
}

/** The request is not authenticated: the token names no organization, or a signature is wrong. */
export class Unauthorized extends AppError {
  readonly code = 'unauthorized';
  override readonly name = 'Unauthorized';
  /** Value of the `www-authenticate` header. The default is that of an access token (RFC 6750, section 3). */
  readonly challenge: string;
  constructor(message: string, challenge = 'Bearer error="invalid_token"') {
    super(message);
    this.challenge = challenge;
  }
}

/** The person may only read, and the request would change something. */
export const NotAnEditor = fixedError(
  'NotAnEditor',
  'not_an_editor',
  'This person may only read. Ask the operator for the role of an editor.',
);

/** The token is a person's who has no role, or roles in several organizations. */
export const NoOrganization = fixedError(
  'NoOrganization',
  'no_organization',
  'This person has no role in exactly one organization. Ask the operator for access to one.',
);

/** The caller's organization has no recording with this id. */
export const RecordingNotFound = fixedError(
  'RecordingNotFound',
  'recording_not_found',
  'There is no recording with this id. A recording is known once its recording.finished event was accepted. ' +
    'A recording of which only tracks were reported is open until that event, or until some time after the end of its session. ' +
    'GET /v1/events/refused lists the events that were refused, and why.',
);

/** The caller's organization has no transcription with this id, or it was deleted. */
export const TranscriptionNotFound = fixedError(
  'TranscriptionNotFound',
  'transcription_not_found',
  'There is no transcription with this id.',
);

/** The transcription is ready but has no file in the requested format. */
export class TranscriptNotFound extends AppError {
  readonly code = 'transcript_not_found';
  override readonly name = 'TranscriptNotFound';
}

/** The transcription has no speaker with this label, or no words that could be given another name. */
export const SpeakerNotFound = fixedError(
  'SpeakerNotFound',
  'speaker_not_found',
  'The transcription has no such speaker. GET /v1/transcriptions/{transcriptionId} lists its speakers once it is ready.',
);

/** The session of the transcription has no participant with this id. */
export const ParticipantNotFound = fixedError(
  'ParticipantNotFound',
  'participant_not_found',
  'The session has no participant with this id. GET /v1/insights/participants lists them. Or give a displayName.',
);

/** No transcript opens with this link. The error does not say why, so a guesser learns nothing. */
export const LinkNotFound = fixedError(
  'LinkNotFound',
  'link_not_found',
  'This link opens nothing. It has expired, or it was revoked, or it never existed.',
);

/** A link was requested for a transcription without files to link to. */
export class AccessLinkNotAllowed extends AppError {
  readonly code: 'transcription_not_ready' | 'transcription_failed' | 'self_hosted';
  override readonly name = 'AccessLinkNotAllowed';
  constructor(code: AccessLinkNotAllowed['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** The stage allows no links to recordings. */
export const RecordingLinksDisabled = fixedError(
  'RecordingLinksDisabled',
  'recording_links_disabled',
  'This deployment allows no links to recordings. To allow them, its operator sets recordingLinks=true.',
);

/** The transcription has no file of a recording that a link could open. */
export class RecordingFileNotFound extends AppError {
  readonly code = 'recording_file_not_found';
  override readonly name = 'RecordingFileNotFound';
}

/** The caller's organization has no webhook with this id. */
export const WebhookNotFound = fixedError(
  'WebhookNotFound',
  'webhook_not_found',
  'There is no webhook with this id. GET /v1/webhooks lists them.',
);

/** The caller's organization has no notice with this id, or it has expired. */
export class NoticeNotFound extends AppError {
  readonly code = 'notice_not_found';
  override readonly name = 'NoticeNotFound';
  constructor(days: number) {
    super(`There is no notice with this id. Notices are kept for ${days} days. GET /v1/notices lists them.`);
  }
}

/** The webhook is disabled, so nothing is sent to it. */
export const WebhookIsDisabled = fixedError(
  'WebhookIsDisabled',
  'webhook_is_disabled',
  'The webhook is disabled. Enable it first: PATCH /v1/webhooks/{webhookId} with {"state":"enabled"}.',
);

/** The organization has as many webhooks as it may have. */
export class TooManyWebhooks extends AppError {
  readonly code = 'too_many_webhooks';
  override readonly name = 'TooManyWebhooks';
  constructor(limit: number) {
    super(`The organization has ${limit} webhooks, which is the most. Delete one first, or ask the operator for more.`);
  }
}

/** An earlier replay to the webhook is still running. */
export const ReplayInProgress = fixedError(
  'ReplayInProgress',
  'replay_in_progress',
  'A replay to this webhook is still running. GET /v1/webhooks/{webhookId} shows how far it has come.',
);

/** An earlier request with the same idempotency key is still running. */
export const IdempotencyKeyInUse = fixedError(
  'IdempotencyKeyInUse',
  'idempotency_key_in_use',
  'A request with this Idempotency-Key is still running. Send the same request again in a moment.',
);

/** The idempotency key was used with another body. */
export const IdempotencyKeyReused = fixedError(
  'IdempotencyKeyReused',
  'idempotency_key_reused',
  'This Idempotency-Key was sent with another body in the last 24 hours. Take a new key for another request.',
);

/** What an organization has left of a limit. */
type Limit = { readonly limit: number; readonly remaining: number; readonly resetsAt: number };

/** A limit is used up. The same request can succeed after `resetsAt`. */
export abstract class LimitExceeded extends AppError {
  /** When the minute, hour or day of the limit ends, in epoch seconds. */
  readonly resetsAt: number;
  constructor(message: string, resetsAt: number) {
    super(message);
    this.resetsAt = resetsAt;
  }
}

/** Who has points: all machines of an organization together, and each person. */
export type Spender = 'organization' | 'person';

/** A class of errors of a limit. `message` says what is left of it, and what the request asked for. */
const limitError = <Code extends string, Left extends Pick<Limit, 'resetsAt'>, Asked extends unknown[]>(
  className: string,
  code: Code,
  message: (left: Left, ...asked: Asked) => string,
) =>
  class extends LimitExceeded {
    readonly code = code;
    override readonly name = className;
    constructor(left: Left, ...asked: Asked) {
      super(message(left, ...asked), left.resetsAt);
    }
  };

/** The organization, or the person, has too few points left in this minute. */
export const RateLimited = limitError(
  'RateLimited',
  'rate_limited',
  ({ limit, remaining }: Limit, points: number | `at least ${number}`, spender: Spender = 'organization') =>
    `The ${spender} has ${remaining} of its ${limit} points left in this minute, and this request costs ${points}. ` +
    'Wait as long as Retry-After says, then send the request again.',
);

/** The key of a self-authenticated endpoint has sent too many requests in this minute. */
export const KeyRateLimited = limitError(
  'KeyRateLimited',
  'rate_limited',
  ({ limit }: Omit<Limit, 'remaining'>) =>
    `At most ${limit} requests a minute are allowed. Wait as long as Retry-After says, then send the request again.`,
);

/** The organization has tested its webhooks too often in this minute. */
export const TooManyTests = limitError(
  'TooManyTests',
  'rate_limited',
  ({ limit }: Omit<Limit, 'remaining'>) =>
    `At most ${limit} tests of all webhooks a minute are allowed. Wait as long as Retry-After says, then send the request again.`,
);

/** The organization has started as many replays of periods as it may on this day of UTC. */
export const TooManyReplays = limitError(
  'TooManyReplays',
  'too_many_replays',
  ({ limit }: Omit<Limit, 'remaining'>) =>
    `The organization has started its ${limit} replays of periods of this day of UTC. Wait as long as Retry-After says, ` +
    'replay single notices, or ask the operator for more.',
);

/** The organization has too few ids left that it may delete in bulk in this hour. */
export const TooManyDeletions = limitError(
  'TooManyDeletions',
  'too_many_deletions',
  ({ limit, remaining }: Limit, ids: number) =>
    `The organization has ${remaining} of its ${limit} ids for bulk deletes left in this hour, and this request has ` +
    `${ids}. Wait as long as Retry-After says, or send fewer ids.`,
);

/** The recording is longer than what the organization may still have transcribed on this day of UTC. Amounts are seconds. */
export const TooManyMinutes = limitError(
  'TooManyMinutes',
  'too_many_minutes',
  ({ limit, remaining }: Limit, seconds: number) =>
    `The organization has ${Math.floor(remaining / 60)} of its ${limit / 60} minutes of transcription left on this day of UTC, ` +
    `and this recording has ${Math.ceil(seconds / 60)}. Wait as long as Retry-After says, or ask the operator for more.`,
);

/** The body is larger than the endpoint accepts. */
export class PayloadTooLarge extends AppError {
  readonly code = 'payload_too_large';
  override readonly name = 'PayloadTooLarge';
}

/** The body is not declared as JSON. */
export class UnsupportedMediaType extends AppError {
  readonly code = 'unsupported_media_type';
  override readonly name = 'UnsupportedMediaType';
}

/** A dependency did not answer in time. The same request can be repeated and then completes the work that it began. */
export class ServiceUnavailable extends AppError {
  readonly code = 'service_unavailable';
  override readonly name = 'ServiceUnavailable';
}

/** A message does not fit its schema, so no retry can succeed. It goes to the dead-letter queue. `issues` says why. */
export class UnreadableMessage extends AppError {
  readonly code = 'unreadable_message';
  override readonly name = 'UnreadableMessage';
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super('The message does not fit its schema.', options);
    this.issues = issues;
  }
}
