import { describe, expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  InvalidRequestError,
  NotAllowedError,
  NotFoundError,
  RateLimitedError,
  Roomscribe,
  RoomscribeError,
  ServerError,
} from '#client/index.ts';
import { errorStatuses } from '#shared/contracts/common/errors.ts';
import { answerOf, scriptedFetch } from '../../support/client/scripted-fetch.ts';

/** The error of a call that gets this answer. */
async function errorFor(answer: Response): Promise<ApiError> {
  const { fetch } = scriptedFetch(answer);
  const roomscribe = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch, maxRetries: 0 });
  const error = await roomscribe.transcriptions.get('t-1').catch((thrown: unknown) => thrown);
  if (error instanceof ApiError) return error;
  throw new Error(`${error} is not an ApiError`);
}

const classes = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: NotAllowedError,
  404: NotFoundError,
  409: ConflictError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitedError,
  500: ServerError,
  503: ServerError,
} as const;

test.each(Object.entries(errorStatuses))(
  'the code %s (%i) has an error class and stays on the error',
  async (code, status) => {
    const error = await errorFor(answerOf(status, { code, message: 'What is wrong.' }));
    expect(error).toBeInstanceOf(classes[status]);
    expect(error).toBeInstanceOf(RoomscribeError);
    expect(error).toMatchObject({ code, status, message: 'What is wrong.', name: classes[status].name });
  },
);

describe('an error of the gateway without a code', () => {
  test.each([
    [400, 'invalid_request', InvalidRequestError],
    [401, 'unauthorized', AuthenticationError],
    [403, 'unauthorized', AuthenticationError],
    [404, 'not_found', NotFoundError],
    [413, 'payload_too_large', InvalidRequestError],
    [429, 'rate_limited', RateLimitedError],
    [431, 'unexpected_answer', InvalidRequestError],
    [500, 'internal_error', ServerError],
    [502, 'unexpected_answer', ServerError],
    [503, 'service_unavailable', ServerError],
  ] as const)('gets for %i the code %s', async (status, code, expected) => {
    const error = await errorFor(answerOf(status, { message: 'Said by the gateway' }));
    expect(error).toBeInstanceOf(expected);
    expect(error).toMatchObject({ code, message: 'Said by the gateway' });
  });
});

test.each(['', 'null', '"text"', '[]', '<html>', '{"code":7,"message":{},"issues":{}}'])(
  'an error with an unknown body keeps its status: %s',
  async (body) => {
    const error = await errorFor(new Response(body, { status: 503 }));
    expect(error).toMatchObject({
      code: 'service_unavailable',
      message: expect.stringMatching(/^The server answered 503 with /),
      status: 503,
    });
  },
);

test('an error ignores issues that are not a list', async () => {
  expect(await errorFor(answerOf(400, { code: 'invalid_request', message: 'No.', issues: {} }))).toMatchObject({
    issues: [],
  });
});

test('an error carries its issues, the request id and the time until a retry', async () => {
  const issues = [{ path: 'limit', message: 'must be a whole number from 1 to 100' }];
  const headers = { 'apigw-requestid': 'abc=', 'retry-after': '3' };
  const invalid = await errorFor(answerOf(400, { code: 'invalid_request', message: 'No.', issues }, headers));
  expect(invalid).toMatchObject({ issues, requestId: 'abc=', retryAfterSeconds: 3 });
  const past = new Date(Date.now() - 5000).toUTCString();
  expect(await errorFor(answerOf(400, {}, { 'retry-after': past }))).toMatchObject({ retryAfterSeconds: 0 });
  const plain = await errorFor(answerOf(400, { code: 'invalid_request', message: 'No.' }, { 'retry-after': 'soon' }));
  expect(plain).toMatchObject({ issues: [], requestId: undefined, retryAfterSeconds: undefined });
});
