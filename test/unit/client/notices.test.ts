import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FollowOptions, type Notice, Roomscribe } from '#client/index.ts';
import { answerOf, refusedConnection, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

const start = '2026-03-02T09:00:00.000Z';
const at = (seconds: number) => new Date(Date.parse(start) + seconds * 1000).toISOString();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(start) });
  vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const noticeAt = (seconds: number, id = `n${seconds}`) => ({ id, createdAt: at(seconds), type: 'webhook.disabled' });
const page = (...results: readonly object[]) => answerOf(200, { results, cursor: null });

/** Follows until a number of requests is sent, and returns the ids and the requests. */
async function follow(script: readonly Scripted[], options: FollowOptions = {}, requests = script.length) {
  const end = new AbortController();
  const times: number[] = [];
  const { fetch, sent } = scriptedFetch(...script);
  const counted: typeof globalThis.fetch = async (input, init) => {
    times.push((Date.now() - Date.parse(start)) / 1000);
    if (times.length > requests) end.abort();
    return fetch(input as string, init);
  };
  const { notices } = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch: counted, maxRetries: 0 });
  const ids: string[] = [];
  const loop = async () => {
    for await (const { id } of notices.follow({ signal: end.signal, ...options })) ids.push(id);
  };
  const ended = loop().then(
    () => 'ended',
    (error) => error.code ?? error.name,
  );
  await vi.runAllTimersAsync();
  const froms = sent.map(({ url }) => url.searchParams.get('from'));
  return { ids, times: times.slice(0, requests), froms: froms.slice(0, requests), outcome: await ended };
}

describe('follow()', () => {
  test('leaves out what was there before, and yields each new notice once, also a late one', async () => {
    const { ids, times, froms, outcome } = await follow([
      page(noticeAt(-30)),
      page(noticeAt(-30), noticeAt(2)),
      page(noticeAt(-30), noticeAt(-10, 'late'), noticeAt(2)),
      page(noticeAt(90)),
      page(noticeAt(31, 'later'), noticeAt(90)),
    ]);
    expect(ids).toEqual(['n2', 'late', 'n90', 'later']);
    expect(times).toEqual([0, 5, 10, 15, 20]);
    expect(froms).toEqual([at(-60), at(-60), at(-58), at(-58), at(30)]);
    expect(outcome).toBe('ended');
  });

  test('begins by the clock of the service if that of the machine is ahead', async () => {
    const answerAt = (seconds: number, ...results: readonly object[]) =>
      answerOf(200, { results, cursor: null }, { date: new Date(at(seconds)).toUTCString() });
    const { ids, froms, times } = await follow([
      answerAt(-600),
      answerAt(-600, noticeAt(-610)),
      answerAt(-595, noticeAt(-610), noticeAt(-598)),
    ]);
    expect(ids).toEqual(['n-598']);
    expect(froms).toEqual([at(-60), at(-660), at(-660)]);
    expect(times).toEqual([0, 0, 5]);
  });

  test('begins at a time, and fetches all pages of a poll at once', async () => {
    const first = answerOf(200, { results: [noticeAt(-7200)], cursor: 'more' });
    const { ids, times, froms } = await follow([first, page(noticeAt(-3600)), page(noticeAt(-3600))], {
      from: at(-9000),
      everySeconds: 1,
    });
    expect(ids).toEqual(['n-7200', 'n-3600']);
    expect(times).toEqual([0, 0, 1]);
    expect(froms).toEqual([at(-9000), at(-9000), at(-3660)]);
  });

  test('goes on after temporary failures, with growing pauses that are never shorter than Retry-After', async () => {
    const busy = answerOf(503, { code: 'service_unavailable', message: 'Busy.' });
    const limited = answerOf(429, { code: 'rate_limited', message: 'Spent.' }, { 'retry-after': '100' });
    const { ids, times, outcome } = await follow([
      page(),
      refusedConnection(),
      busy,
      limited,
      busy,
      page(noticeAt(1)),
      page(),
    ]);
    expect(ids).toEqual(['n1']);
    expect(times).toEqual([0, 5, 15, 35, 135, 195, 200]);
    expect(outcome).toBe('ended');
  });

  test.each([
    ['the first poll fails', [refusedConnection()], 'connection_failed'],
    [
      'a request is refused',
      [page(), answerOf(400, { code: 'invalid_request', message: 'No.', issues: [] })],
      'invalid_request',
    ],
  ])('throws if %s', async (_, script, code) => {
    expect((await follow(script)).outcome).toBe(code);
  });

  test('ends at once when it is aborted between two notices of a page, and sends nothing if it was aborted before', async () => {
    const end = new AbortController();
    const { fetch, sent } = scriptedFetch(page(noticeAt(1), noticeAt(2)));
    const { notices } = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch });
    const ids: string[] = [];
    for await (const { id } of notices.follow({ from: start, signal: end.signal })) {
      ids.push(id);
      end.abort();
    }
    expect(ids).toEqual(['n1']);
    for await (const { id } of notices.follow({ from: start, signal: end.signal })) ids.push(id);
    expect([ids.length, sent.length]).toEqual([1, 1]);
  });

  test('rethrows what the loop throws', async () => {
    const { fetch } = scriptedFetch(page(noticeAt(1)));
    const { notices } = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch });
    const loop = async () => {
      for await (const _ of notices.follow({ from: start })) throw new Error('mine');
    };
    await expect(loop()).rejects.toThrow('mine');
  });

  test.each([0, -1, Number.NaN])('refuses a pause of %s seconds', async (everySeconds) => {
    const { notices } = new Roomscribe({ apiUrl: 'https://api.example', token: 't' });
    await expect(notices.follow({ everySeconds }).next()).rejects.toBeInstanceOf(TypeError);
  });

  test('its notices are narrowed by their type', () => {
    const seconds = (notice: Notice) =>
      notice.type === 'transcription.finished' ? notice.data.durationInSeconds : undefined;
    expect(seconds({ type: 'transcription.finished', data: { durationInSeconds: 31 } } as Notice)).toBe(31);
  });
});
