import { describe, expect, test } from 'vitest';
import { ErrorBody, type ErrorCode, errorStatuses } from '#shared/contracts/common/errors.ts';
import { toErrorResponse, toPublishedError } from '#shared/http/error-response.ts';
import {
  AccessLinkNotAllowed,
  AppError,
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidRequest,
  KeyRateLimited,
  LinkNotFound,
  NoOrganization,
  NotAnEditor,
  NoticeNotFound,
  ParticipantNotFound,
  PayloadTooLarge,
  RateLimited,
  RecordingFileNotFound,
  RecordingLinksDisabled,
  RecordingNotFound,
  ReplayInProgress,
  ServiceUnavailable,
  SpeakerNotFound,
  TooManyDeletions,
  TooManyMinutes,
  TooManyReplays,
  TooManyTests,
  TooManyWebhooks,
  TranscriptionNotFound,
  TranscriptNotFound,
  Unauthorized,
  UnreadableMessage,
  UnsupportedMediaType,
  WebhookIsDisabled,
  WebhookNotFound,
} from '#shared/runtime/errors.ts';

const publicErrors = [
  new InvalidRequest([{ path: 'limit', message: 'must be a number' }]),
  new Unauthorized('why'),
  new AccessLinkNotAllowed('transcription_not_ready', 'why'),
  new AccessLinkNotAllowed('transcription_failed', 'why'),
  new AccessLinkNotAllowed('self_hosted', 'why'),
  new RecordingNotFound(),
  new RecordingLinksDisabled(),
  new RecordingFileNotFound('why'),
  new SpeakerNotFound(),
  new ParticipantNotFound(),
  new TranscriptionNotFound(),
  new TranscriptNotFound('why'),
  new LinkNotFound(),
  new IdempotencyKeyInUse(),
  new IdempotencyKeyReused(),
  new RateLimited({ limit: 1000, remaining: 2, resetsAt: Date.now() / 1000 + 30 }, 3),
  new KeyRateLimited({ limit: 60, resetsAt: Date.now() / 1000 + 30 }),
  new TooManyDeletions({ limit: 100_000, remaining: 2, resetsAt: Date.now() / 1000 + 30 }, 3),
  new TooManyMinutes({ limit: 1_800_000, remaining: 59, resetsAt: Date.now() / 1000 + 30 }, 60),
  new TooManyReplays({ limit: 50, resetsAt: Date.now() / 1000 + 30 }),
  new TooManyTests({ limit: 10, resetsAt: Date.now() / 1000 + 30 }),
  new WebhookNotFound(),
  new NoticeNotFound(30),
  new WebhookIsDisabled(),
  new TooManyWebhooks(20),
  new NotAnEditor(),
  new NoOrganization(),
  new ReplayInProgress(),
  new PayloadTooLarge('why'),
  new UnsupportedMediaType('why'),
  new ServiceUnavailable('why'),
];

const answerTo = (error: unknown) => {
  const { statusCode, headers, body } = toErrorResponse(toPublishedError(error));
  return { statusCode, headers, text: body ?? '', body: ErrorBody.parse(JSON.parse(body ?? '')) };
};

describe.each(publicErrors.map((error) => ({ code: error.code as ErrorCode, error })))('$code', ({ code, error }) => {
  test('is returned with its status, code and message', () => {
    const { statusCode, body } = answerTo(error);
    expect(statusCode).toBe(errorStatuses[code]);
    expect(body).toMatchObject({ code, message: error.message });
  });

  test('is returned as JSON with headers against caching, sniffing and referrers', () => {
    expect(answerTo(error).headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  test('has WWW-Authenticate only with 401, and Retry-After if the same request can succeed later', () => {
    const headers = answerTo(error).headers ?? {};
    expect('www-authenticate' in headers).toBe(errorStatuses[code] === 401);
    expect('retry-after' in headers).toBe([409, 429, 503].includes(errorStatuses[code]));
  });
});

test('every published code except the two internal ones has its own error class', () => {
  const thrown = new Set<string>(publicErrors.map(({ code }) => code));
  expect(Object.keys(errorStatuses).filter((code) => !thrown.has(code))).toEqual(['internal_error']);
});

test('401 asks for a bearer token unless the error names another challenge', () => {
  expect(answerTo(new Unauthorized('why', 'Signature')).headers?.['www-authenticate']).toBe('Signature');
  expect(answerTo(new Unauthorized('why')).headers?.['www-authenticate']).toBe('Bearer error="invalid_token"');
});

test('400 contains every issue, and no other error contains any', () => {
  const issues = [
    { path: 'limit', message: 'a' },
    { path: '', message: 'b' },
  ];
  expect(answerTo(new InvalidRequest(issues)).body.issues).toEqual(issues);
  expect(answerTo(new RecordingNotFound()).body).not.toHaveProperty('issues');
});

const sdkError = (name: string, facts: object = {}) => Object.assign(new Error('arn:aws:secret'), { name }, facts);
const status = (httpStatusCode: number) => ({ $metadata: { httpStatusCode } });

test.each([
  ['a throttle', sdkError('ThrottlingException', status(400))],
  ['a full table', sdkError('ProvisionedThroughputExceededException', status(400))],
  ['too many requests', sdkError('TooManyRequestsException', status(429))],
  ['S3 slowing down', sdkError('SlowDown', status(503))],
  ['a timeout', sdkError('TimeoutError')],
  ['a slow answer', sdkError('RequestTimeout', status(400))],
  ['an error marked as transient', sdkError('Unknown', { $retryable: {} })],
  ['a reset connection', sdkError('Error', { code: 'ECONNRESET' })],
  ['a refused connection', sdkError('Error', { code: 'ECONNREFUSED' })],
  ['an internal error', sdkError('InternalServerError', status(500))],
  ['an unavailable service', sdkError('ServiceUnavailable', status(503))],
  ['an HTTP version that is not supported', sdkError('Odd', status(505))],
])('%s of a dependency gives a 503 with Retry-After and no internal details', (_name, error) => {
  const { statusCode, headers, body, text } = answerTo(error);
  expect(statusCode).toBe(503);
  expect(body.code).toBe('service_unavailable');
  expect(headers?.['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(text).not.toContain('secret');
  expect(toPublishedError(error)).toMatchObject({ code: 'service_unavailable', cause: error });
});

test.each([
  new TranscriptNotFound('why', { cause: sdkError('TimeoutError') }),
  new ServiceUnavailable('why', { cause: sdkError('ThrottlingException', status(400)) }),
  new InvalidRequest([], { cause: sdkError('Error', { code: 'ECONNRESET' }) }),
])('$code that a dependency caused is returned as it is', (error) => {
  expect(toPublishedError(error)).toBe(error);
});

class Unpublished extends AppError {
  readonly code = 'of_the_inside';
}

test.each([
  ['a defect', new TypeError("Cannot read properties of undefined (reading 'secret')")],
  ['a denied access', sdkError('AccessDeniedException', status(403))],
  ['a missing table', sdkError('ResourceNotFoundException', status(400))],
  ['a validation error', sdkError('ValidationException', status(400))],
  ['an error of a worker', new UnreadableMessage([{ path: 'secret', message: 'secret' }])],
  ['an error without a published code', new Unpublished('secret')],
  ['text', 'secret'],
  ['nothing', undefined],
  ['null', null],
  ['an object', { code: 'invalid_request', message: 'secret' }],
])('%s gives a 500 without details', (_name, error) => {
  expect(toPublishedError(error)).toBeUndefined();
  const { statusCode, headers, text, body } = answerTo(error);
  expect(statusCode).toBe(500);
  expect(body).toStrictEqual({ code: 'internal_error', message: expect.any(String) });
  expect(text).not.toContain('secret');
  expect(headers).not.toHaveProperty('retry-after');
});
