import { afterEach, describe, expect, test, vi } from 'vitest';
import { Roomscribe, type RoomscribeOptions } from '#client/index.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

const emptyPage = answerOf(200, { results: [], cursor: null });

afterEach(() => {
  vi.useRealTimers();
});

function clientWith(script: readonly Scripted[], options: Partial<RoomscribeOptions> = {}) {
  const { fetch, sent } = scriptedFetch(...script);
  const roomscribe = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch, maxRetries: 0, ...options });
  return { ...roomscribe, sent };
}

const failure = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);

describe('the API address', () => {
  test.each(['https://api.example/stage', 'https://api.example/stage/', ' https://api.example/stage// '])(
    'may have a path and end in a slash: "%s"',
    async (apiUrl) => {
      const { transcriptions, sent } = clientWith([emptyPage], { apiUrl });
      await transcriptions.list({ roomName: '/a b&c', limit: 3 }).page();
      expect(sent[0]?.url.href).toBe('https://api.example/stage/v1/transcriptions?roomName=%2Fa+b%26c&limit=3');
    },
  );

  test.each([
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'https://me:secret@api.example',
    'https://api.example?a=b',
    'https://api.example#a',
    'api.example',
    '',
  ])('is rejected: "%s"', (apiUrl) => {
    expect(() => clientWith([], { apiUrl })).toThrow(TypeError);
    const credentials = { tokenUrl: apiUrl, clientId: 'a', clientSecret: 'b', token: '' };
    expect(() => clientWith([], credentials as Partial<RoomscribeOptions>)).toThrow(TypeError);
  });
});

describe('an id in a path', () => {
  test('is always encoded as one path segment', async () => {
    const { transcriptions, sent } = clientWith([answerOf(200, {})]);
    await transcriptions.get('a/../b?c');
    expect(sent[0]?.url.href).toBe('https://api.example/v1/transcriptions/a%2F..%2Fb%3Fc');
  });

  test.each(['', '.', '..', undefined, null, 7])(
    'is rejected before sending if it would change the path: %j',
    async (id) => {
      const { transcriptions, sent } = clientWith([new Response(null, { status: 204 })]);
      expect(await failure(Reflect.apply(transcriptions.delete, transcriptions, [id]))).toBeInstanceOf(TypeError);
      expect(sent).toEqual([]);
    },
  );
});

describe('the answer to a request', () => {
  test.each([
    ['another success status than the contract names', 202, {}],
    ['not an object', 200, null],
    ['a text', 200, 'hello'],
  ])('is rejected as unexpected if it is %s', async (_, status, body) => {
    const { transcriptions } = clientWith([answerOf(status, body)]);
    expect(await failure(transcriptions.get('t-1'))).toMatchObject({ code: 'unexpected_answer' });
  });

  test('is rejected if a list lacks results, and is the last page if a list lacks a cursor', async () => {
    const other = clientWith([answerOf(200, { items: [] })]);
    expect(await failure(other.transcriptions.list().page())).toMatchObject({ code: 'unexpected_answer' });
    const connections = clientWith([answerOf(200, {})]).insights.getParticipant({
      roomSessionId: 's',
      participantId: 'p',
    });
    expect(await failure(connections)).toMatchObject({ code: 'unexpected_answer' });
    const last = clientWith([answerOf(200, { results: [1, 2] })]);
    expect(await last.insights.listRooms().toArray()).toEqual([1, 2]);
    expect((await last.insights.listRooms().page()).cursor).toBeNull();
  });

  test.each([302, 405, 418])('becomes an error with its status if it is a %i', async (status) => {
    const { transcriptions } = clientWith([new Response('', { status })]);
    expect(await failure(transcriptions.get('t-1'))).toMatchObject({
      name: 'ApiError',
      code: 'unexpected_answer',
      status,
    });
  });

  test('must arrive with its body within the timeout of an attempt', async () => {
    vi.useFakeTimers();
    const slow: typeof fetch = async (_, init) => {
      const body = new ReadableStream({
        start: (stream) => init?.signal?.addEventListener('abort', () => stream.error(init.signal?.reason)),
      });
      return new Response(body, { status: 200 });
    };
    const { transcriptions } = clientWith([], { fetch: slow, timeoutMs: 1000 });
    const failed = failure(transcriptions.get('t-1'));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await failed).toMatchObject({ code: 'timed_out' });
  });
});

describe('the cause of a failed request', () => {
  test('is a TypeError for an invalid header', async () => {
    const { transcriptions, sent } = clientWith([emptyPage], { maxRetries: 4 });
    const call = transcriptions.create({ recordingId: 'r' }, { idempotencyKey: 'größe ✓' });
    expect(await failure(call)).toBeInstanceOf(TypeError);
    expect(sent).toEqual([]);
  });

  test.each(['two\nlines', '', ' ', 'ü'])('is a TypeError without the token for an invalid token: %j', async (text) => {
    const token = `eyJ-secret${text}` === 'eyJ-secret' ? ' ' : `eyJ-secret${text}`;
    const { transcriptions } = clientWith([emptyPage], { token: () => token });
    const failed = await failure(transcriptions.list().page());
    expect(failed).toBeInstanceOf(TypeError);
    expect(JSON.stringify(failed, Object.getOwnPropertyNames(failed))).not.toContain('eyJ');
  });

  test('is connection_failed for a network error of another realm', async () => {
    const foreign = Object.assign(Object.create({ name: 'TypeError' }), { message: 'fetch failed' });
    const { transcriptions } = clientWith([], { fetch: () => Promise.reject(foreign) });
    expect(await failure(transcriptions.get('t-1'))).toMatchObject({ code: 'connection_failed', cause: foreign });
  });
});

describe('the settings of a client', () => {
  test.each([{ maxRetries: -1 }, { maxRetries: 1.5 }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }])(
    'are rejected: %j',
    (options) => {
      expect(() => clientWith([], options)).toThrow(TypeError);
    },
  );

  test('may have an infinite timeout', async () => {
    const { transcriptions } = clientWith([emptyPage], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(await transcriptions.list().page()).toEqual({ results: [], cursor: null });
  });

  test('are required', () => {
    expect(() => Reflect.construct(Roomscribe, [])).toThrow(/apiUrl/);
  });
});
