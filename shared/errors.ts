/** A problem found in one place of a request: where, and what it must be. */
export type Issue = { readonly path: string; readonly message: string };

/** The root of what this service throws on purpose; `code` is stable. Each class spells out its name: minified code has none. */
export abstract class AppError extends Error {
  abstract readonly code: string;
}

/** The request does not fit the contract; `issues` names every place. */
export class InvalidRequest extends AppError {
  readonly code = 'invalid_request';
  override readonly name = 'InvalidRequest';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super('The request is not valid: see issues.', options);
    this.issues = issues;
  }
}

/** The token carries no usable organization. */
export class Unauthorized extends AppError {
  readonly code = 'unauthorized';
  override readonly name = 'Unauthorized';
}

/** No recording of that id is known in the caller's organization. */
export class RecordingNotFound extends AppError {
  readonly code = 'recording_not_found';
  override readonly name = 'RecordingNotFound';
  constructor() {
    super('There is no recording with this id. A recording is known once its recording.finished event was received.');
  }
}

/** No transcription of that id exists in the caller's organization, or it was deleted. */
export class TranscriptionNotFound extends AppError {
  readonly code = 'transcription_not_found';
  override readonly name = 'TranscriptionNotFound';
  constructor() {
    super('There is no transcription with this id.');
  }
}

/** The transcription is ready, but holds no file in the format asked for. */
export class TranscriptNotFound extends AppError {
  readonly code = 'transcript_not_found';
  override readonly name = 'TranscriptNotFound';
}

/** A link was asked for a transcription that has none. */
export class AccessLinkNotAllowed extends AppError {
  readonly code: 'transcription_not_ready' | 'transcription_failed' | 'self_hosted';
  override readonly name = 'AccessLinkNotAllowed';
  constructor(code: AccessLinkNotAllowed['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** An earlier request with the same idempotency key has not been answered yet. */
export class IdempotencyKeyInUse extends AppError {
  readonly code = 'idempotency_key_in_use';
  override readonly name = 'IdempotencyKeyInUse';
  constructor() {
    super('A request with this Idempotency-Key is still running. Send the same request again in a moment.');
  }
}

/** The idempotency key belongs to an earlier request with another body. */
export class IdempotencyKeyReused extends AppError {
  readonly code = 'idempotency_key_reused';
  override readonly name = 'IdempotencyKeyReused';
  constructor() {
    super('This Idempotency-Key was sent with another body in the last 24 hours. Take a new key for another request.');
  }
}

/** The organization has spent its points of this minute. */
export class RateLimited extends AppError {
  readonly code = 'rate_limited';
  override readonly name = 'RateLimited';
  /** When there are points again, in epoch seconds. */
  readonly resetsAt: number;
  constructor(
    points: number,
    { limit, remaining, resetsAt }: { readonly limit: number; readonly remaining: number; readonly resetsAt: number },
  ) {
    super(
      `The organization has ${remaining} of its ${limit} points of this minute left, and this request costs ${points}. ` +
        'Send it again when Retry-After is over.',
    );
    this.resetsAt = resetsAt;
  }
}

/** The body is larger than the endpoint takes. */
export class PayloadTooLarge extends AppError {
  readonly code = 'payload_too_large';
  override readonly name = 'PayloadTooLarge';
}

/** The body is not declared as JSON. */
export class UnsupportedMediaType extends AppError {
  readonly code = 'unsupported_media_type';
  override readonly name = 'UnsupportedMediaType';
}

/** Something this service depends on did not answer, or not in time; the call can be repeated, and then completes what it had begun. */
export class ServiceUnavailable extends AppError {
  readonly code = 'service_unavailable';
  override readonly name = 'ServiceUnavailable';
}

/** A message that no retry can make readable: it goes to the dead-letter queue. `issues` says why. */
export class UnreadableMessage extends AppError {
  readonly code = 'unreadable_message';
  override readonly name = 'UnreadableMessage';
  readonly issues: readonly Issue[];
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super('The message does not fit its schema.', options);
    this.issues = issues;
  }
}
