import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Roomscribe, type Transcription, WaitTimeoutError } from '#client/index.ts';
import { pause } from '#client/signals.ts';
import { answerOf, refusedConnection, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

const inProgress = answerOf(200, { transcriptionId: 't-1', state: 'in_progress' });
const ready = answerOf(200, { transcriptionId: 't-1', state: 'ready' });
const unknown = answerOf(404, { code: 'recording_not_found', message: 'No such recording.' });
const created = new Response(null, { status: 201, headers: { location: '/v1/transcriptions/t-1' } });

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-02T09:00:00Z') });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function transcriptionsWith(...script: readonly Scripted[]) {
  const times: number[] = [];
  const { fetch, sent } = scriptedFetch(...script);
  const counted: typeof globalThis.fetch = (input, init) => {
    times.push((Date.now() - Date.parse('2026-03-02T09:00:00Z')) / 1000);
    return fetch(input as string, init);
  };
  const { transcriptions } = new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch: counted });
  const elapsed = () => (Date.now() - Date.parse('2026-03-02T09:00:00Z')) / 1000;
  return { transcriptions, times, sent, elapsed };
}

async function outcomeOf(call: Promise<Transcription>): Promise<unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

describe('wait()', () => {
  test('polls after one second, then at growing intervals of at most 15 seconds', async () => {
    const { transcriptions, times } = transcriptionsWith(...Array.from({ length: 10 }, () => inProgress), ready);
    expect(await outcomeOf(transcriptions.wait('t-1'))).toMatchObject({ state: 'ready' });
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.map((pause) => Math.round(pause * 10) / 10)).toEqual([1, 1.5, 2.3, 3.4, 5.1, 7.6, 11.4, 15, 15, 15]);
  });

  test.each([
    ['a timeout of 20 seconds', { timeoutMs: 20_000 }, 20],
    ['two hours by default', {}, 7200],
  ])('gives up after %s', async (_, options, seconds) => {
    const { transcriptions, elapsed } = transcriptionsWith(inProgress);
    const failed = await outcomeOf(transcriptions.wait('t-1', options));
    expect(failed).toBeInstanceOf(WaitTimeoutError);
    expect(failed).toMatchObject({ code: 'timed_out', transcriptionId: 't-1' });
    expect(elapsed()).toBe(seconds);
  });

  test('gives up in time if the service does not answer', async () => {
    const { transcriptions, elapsed } = transcriptionsWith('silence');
    expect(await outcomeOf(transcriptions.wait('t-1', { timeoutMs: 5000 }))).toBeInstanceOf(WaitTimeoutError);
    expect(elapsed()).toBe(5);
  });

  test('sets no timeout if it waits forever', async () => {
    const { transcriptions, elapsed } = transcriptionsWith(...Array.from({ length: 600 }, () => inProgress), ready);
    const waiting = transcriptions.wait('t-1', { timeoutMs: Number.POSITIVE_INFINITY });
    expect(await outcomeOf(waiting)).toMatchObject({ state: 'ready' });
    expect(elapsed()).toBeGreaterThan(7200);
  });

  test('continues after transient faults only', async () => {
    const faults: Scripted[] = Array.from({ length: 30 }, () => refusedConnection());
    const { transcriptions } = transcriptionsWith(inProgress, ...faults, ready);
    expect(await outcomeOf(transcriptions.wait('t-1'))).toMatchObject({ state: 'ready' });

    const never = transcriptionsWith(refusedConnection());
    expect(await outcomeOf(never.transcriptions.wait('t-1'))).toMatchObject({ code: 'connection_failed' });
    const once = transcriptionsWith(created, ...faults, ready);
    expect(await outcomeOf(once.transcriptions.createAndWait({ recordingId: 'r' }))).toMatchObject({ state: 'ready' });

    const gone = transcriptionsWith(inProgress, answerOf(404, { code: 'transcription_not_found', message: 'Gone.' }));
    expect(await outcomeOf(gone.transcriptions.wait('t-1'))).toMatchObject({ code: 'transcription_not_found' });
  });
});

test('ends at once if its signal is aborted between two polls', async () => {
  const { transcriptions } = transcriptionsWith(inProgress);
  const stop = new AbortController();
  const waiting = transcriptions.wait('t-1', { signal: stop.signal, onProgress: () => stop.abort('enough') });
  await expect(waiting).rejects.toBe('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('leaves no listener on its signal after a pause', async () => {
  const { signal } = new AbortController();
  for (const milliseconds of [1, 2, 3]) {
    const paused = pause(milliseconds, signal);
    await vi.runAllTimersAsync();
    await paused;
  }
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('createAndWait()', () => {
  test('retries while the recording is unknown, and reports the id as soon as it has one', async () => {
    const { transcriptions, sent } = transcriptionsWith(unknown, unknown, created, inProgress, ready);
    const seen: unknown[] = [];
    const onCreated = (id: string) => seen.push([id, sent.length]);
    const waiting = transcriptions.createAndWait({ recordingId: 'r' }, { onCreated });
    expect(await outcomeOf(waiting)).toMatchObject({ state: 'ready' });
    expect(seen).toEqual([['t-1', 3]]);
  });

  test("sends the caller's idempotency key every time", async () => {
    const { transcriptions, sent } = transcriptionsWith(unknown, created, ready);
    await outcomeOf(transcriptions.createAndWait({ recordingId: 'r' }, { idempotencyKey: 'mine' }));
    expect(sent.slice(0, 2).map(({ headers }) => headers.get('idempotency-key'))).toEqual(['mine', 'mine']);
  });

  test('ends if its signal is aborted while the recording is unknown', async () => {
    const { transcriptions, sent } = transcriptionsWith(unknown);
    const stop = new AbortController();
    const waiting = transcriptions.createAndWait({ recordingId: 'r' }, { signal: stop.signal }).catch((error) => error);
    await vi.advanceTimersByTimeAsync(500);
    stop.abort('enough');
    expect(await waiting).toBe('enough');
    expect(sent).toHaveLength(1);
  });

  test('retries an unknown recording for ten seconds', async () => {
    const { transcriptions, times } = transcriptionsWith(unknown);
    expect(await outcomeOf(transcriptions.createAndWait({ recordingId: 'r' }))).toMatchObject({ status: 404 });
    expect(times).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('fails with unexpected_answer if the answer does not name the transcription', async () => {
    const { transcriptions } = transcriptionsWith(new Response(null, { status: 201 }));
    expect(await outcomeOf(transcriptions.createAndWait({ recordingId: 'r' }))).toMatchObject({
      code: 'unexpected_answer',
    });
  });
});
