import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Roomscribe, type Transcription, WaitTimeoutError } from '../../../client/index.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/scripted-fetch.ts';

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
  return { transcriptions, times, sent };
}

async function outcomeOf(call: Promise<Transcription>): Promise<unknown> {
  const settled = call.catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return settled;
}

describe('waiting', () => {
  test('looks after a second at first, then less and less often, at least every 15 seconds', async () => {
    const { transcriptions, times } = transcriptionsWith(...Array.from({ length: 10 }, () => inProgress), ready);
    expect(await outcomeOf(transcriptions.wait('t-1'))).toMatchObject({ state: 'ready' });
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(pauses.map((pause) => Math.round(pause * 10) / 10)).toEqual([1, 1.5, 2.3, 3.4, 5.1, 7.6, 11.4, 15, 15, 15]);
  });

  test('gives up when the time is over, not before and not much later', async () => {
    const { transcriptions, times } = transcriptionsWith(inProgress);
    const failed = await outcomeOf(transcriptions.wait('t-1', { timeoutMs: 20_000 }));
    expect(failed).toBeInstanceOf(WaitTimeoutError);
    expect(failed).toMatchObject({ code: 'timed_out', transcriptionId: 't-1' });
    expect(times.at(-1)).toBe(20);
  });

  test('gives up after two hours unless told otherwise', async () => {
    const { transcriptions, times } = transcriptionsWith(inProgress);
    expect(await outcomeOf(transcriptions.wait('t-1'))).toBeInstanceOf(WaitTimeoutError);
    expect(times.at(-1)).toBe(7200);
  });
});

describe('creating and waiting', () => {
  test('bears with a recording whose event is on its way', async () => {
    const { transcriptions } = transcriptionsWith(unknown, unknown, created, inProgress, ready);
    expect(await outcomeOf(transcriptions.createAndWait({ recordingId: 'r' }))).toMatchObject({ state: 'ready' });
  });

  test('for ten seconds', async () => {
    const { transcriptions, times } = transcriptionsWith(unknown);
    expect(await outcomeOf(transcriptions.createAndWait({ recordingId: 'r' }))).toMatchObject({ status: 404 });
    expect(times).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('says so where the answer does not name the transcription', async () => {
    const { transcriptions } = transcriptionsWith(new Response(null, { status: 201 }));
    expect(await outcomeOf(transcriptions.createAndWait({ recordingId: 'r' }))).toMatchObject({
      code: 'unexpected_answer',
    });
  });
});
