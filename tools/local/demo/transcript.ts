import { setTimeout as delay } from 'node:timers/promises';
import { type TranscriptFormat, Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';

/** What a demo needs to call the running service. */
export type DemoOptions = {
  readonly endpoints: Endpoints;
  readonly organizationId: string;
  readonly token: string;
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
};

/** A finished transcript: its first lines, and a link to the whole file. */
export type DemoTranscript = {
  readonly transcriptionId: string;
  readonly firstLines: string;
  readonly link: string;
  /** Reads the transcript in another format. */
  readonly read: (format: TranscriptFormat) => Promise<string>;
};

const shownLines = 12;
const pollMs = 500;
const limitMs = 180_000;

/** Runs a part of the demo, and throws if it takes longer than three minutes. */
export async function withinLimit<Result>(
  options: DemoOptions,
  part: (limited: DemoOptions) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await part({ ...options, signal: AbortSignal.any([options.signal, limit]) });
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new Error(`there is no transcript after ${limitMs / 60_000} minutes`, { cause: error });
  }
}

/** Requests the transcript of a recording as a client does, and waits for it. */
export async function requestTranscript(
  { endpoints, token, signal }: DemoOptions,
  recordingId: string,
): Promise<DemoTranscript> {
  const call = (method: string, path: string, body?: object) =>
    fetch(new URL(path, endpoints.apiUrl), {
      method,
      signal,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const path = await createTranscription(call, recordingId, signal);
  await untilReady(call, path, signal);
  const linkTo = async (format: TranscriptFormat) =>
    AccessLink.parse(await succeeded(await call('GET', `${path}/access-link?format=${format}`))).accessLink;
  const read = async (format: TranscriptFormat) => (await fetch(await linkTo(format), { signal })).text();
  const firstLines = (await read('md')).trim().split('\n').slice(0, shownLines).join('\n');
  return { transcriptionId: path.split('/').at(-1) ?? '', firstLines, link: await linkTo('md'), read };
}

type Call = (method: string, path: string, body?: object) => Promise<Response>;

/** Retries while the API returns 404: it does not know the recording until a worker has read the event. */
async function createTranscription(call: Call, recordingId: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const response = await call('POST', '/v1/transcriptions', { recordingId });
    const location = response.headers.get('location');
    if (response.status === 201 && location !== null) return location;
    if (response.status !== 404) await succeeded(response);
    await delay(pollMs, undefined, { signal });
  }
}

async function untilReady(call: Call, path: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { state, failure } = Transcription.parse(await succeeded(await call('GET', path)));
    if (state === 'ready') return;
    if (state === 'failed') throw new Error(`the transcription failed: ${failure?.code} (${failure?.message})`);
    await delay(pollMs, undefined, { signal });
  }
}

async function succeeded(response: Response): Promise<unknown> {
  if (response.status === 200) return response.json();
  throw new Error(`${new URL(response.url).pathname} returned ${response.status} ${await response.text()}`);
}
