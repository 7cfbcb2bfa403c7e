import { describe, expect, test } from 'vitest';
import { ConnectionError, toApiError } from '../../../../client/errors.ts';
import { adviceOn } from '../../../../console/parts/advice.ts';
import { SignInError } from '../../../../console/sign-in/config.ts';

const ofView = { isView: true, canSignIn: true };
const ofAction = { isView: false, canSignIn: true };

/** The error of an answer of the API, as the client throws it. */
function answered(status: number, body: object, headers: Record<string, string> = {}) {
  return toApiError(new Response(JSON.stringify(body), { status, headers }));
}

describe('what the reader can do about', () => {
  test.each([
    [400, 'invalid_request', 'list'],
    [403, 'not_an_editor', 'none'],
    [403, 'no_organization', 'signIn'],
    [403, 'recording_links_disabled', 'list'],
    [404, 'transcription_not_found', 'list'],
    [409, 'replay_in_progress', 'retry'],
    [413, 'payload_too_large', 'list'],
    [422, 'idempotency_key_reused', 'list'],
    [429, 'rate_limited', 'retry'],
    [429, 'too_many_minutes', 'retry'],
    [500, 'internal_error', 'retry'],
    [503, 'service_unavailable', 'retry'],
    [401, 'unauthorized', 'signIn'],
  ] as const)('%i %s in a view is: %s', async (status, code, action) => {
    const error = await answered(status, { code, message: 'As the service says.' });
    expect(adviceOn(error, ofView).action).toBe(action);
    expect(adviceOn(error, ofView).text).not.toBe('');
  });

  test.each([400, 404, 422])('%i after something that they did is nothing but what the text says', async (status) => {
    const error = await answered(status, { code: 'invalid_request', message: 'The name is too long.' });
    expect(adviceOn(error, ofAction)).toEqual({ text: 'The name is too long.', action: 'none' });
  });

  test.each([
    ['connection_failed', /^The service cannot be reached\./],
    ['timed_out', /^The service did not answer in time\./],
  ] as const)('a network that fails: %s', (code, expected) => {
    const { text, action } = adviceOn(new ConnectionError(code, '200 with text/html.'), ofView);
    expect(action).toBe('retry');
    expect(text).toMatch(expected);
  });

  test.each([
    'The storage of the file answered 403.',
    'The file of the transcript cannot be read: Unexpected token.',
    'The answer is text/html instead of text/csv.',
  ])('an answer that cannot be used, which is not said to be of a proxy: %s', (message) => {
    const text = `${message} Try again.`;
    expect(adviceOn(new ConnectionError('unexpected_answer', message), ofView)).toEqual({ text, action: 'retry' });
  });

  test.each([
    ['unreachable', 'retry'],
    ['not_ours', 'retry'],
    ['refused', 'signIn'],
    ['no_config', 'signIn'],
  ] as const)('a sign-in that fails in the middle: %s', (code, action) => {
    expect(adviceOn(new SignInError(code, 'said the issuer'), ofView).action).toBe(action);
  });

  test('a token that this machine gave', async () => {
    const { text, action } = adviceOn(await answered(401, {}), { isView: true, canSignIn: false });
    expect(action).toBe('retry');
    expect(text).toMatch(/roomscribe login/);
  });

  test('a defect of the page', () => {
    expect(adviceOn(new TypeError('x is undefined'), ofView)).toEqual({
      text: expect.stringMatching(/load the page again/),
      action: 'retry',
    });
  });
});

describe('the text', () => {
  test('names each value that the address has wrong', async () => {
    const issues = [
      { path: 'sortBy', message: 'must be a field' },
      { path: 'createdAt[from]', message: 'must be a date' },
    ];
    const { text } = adviceOn(await answered(400, { code: 'invalid_request', message: 'Invalid.', issues }), ofView);
    expect(text).toMatch(/^The address asks for .*sortBy must be a field\. createdAt\[from\] must be a date\.$/);
  });

  test.each([
    ['rate_limited', { 'retry-after': '42' }, /in 42 seconds/],
    ['rate_limited', { 'retry-after': '0.4' }, /in 1 second\./],
    ['too_many_replays', { 'retry-after': '60' }, /^As the service says\. Try again in 60 seconds\.$/],
    ['too_many_minutes', { 'retry-after': '3600' }, /^As the service says\. Try again in 60 minutes\.$/],
  ])('says for how long the limit %s lasts', async (code, headers, expected) => {
    const error = await answered(429, { code, message: 'As the service says.' }, headers);
    expect(adviceOn(error, ofView).text).toMatch(expected);
  });
});
