import { type Api, type CallOptions, parseJson, type Read } from './api.ts';
import { ConnectionError, NotFoundError, TranscriptionFailedError, WaitTimeoutError } from './errors.ts';
import { canPass } from './http.ts';
import { type List, listOf } from './list.ts';
import { after, anyOf, pause } from './signals.ts';
import type {
  AccessLink,
  CreateAccessLink,
  CreateTranscription,
  ListTranscriptions,
  TranscriptDocument,
  TranscriptFormat,
  Transcription,
} from './types.ts';

/** What a write takes besides. */
export type WriteOptions = CallOptions & {
  /** A key of your own, where your process may end before it has seen the answer; else one is made up for each call. */
  readonly idempotencyKey?: string | undefined;
};

/** How an end is waited for. */
export type WaitOptions = CallOptions & {
  /** Gives up after this long, in milliseconds; 2 hours if left out. The transcription goes on. */
  readonly timeoutMs?: number | undefined;
  /** Is told of the transcription each time it was looked at. */
  readonly onProgress?: ((transcription: Transcription) => void) | undefined;
};

/** How a transcription is created and waited for. */
export type CreateAndWaitOptions = WriteOptions &
  WaitOptions & {
    /** How long a recording may be unknown: its event may still be on its way. 10 seconds if left out. */
    readonly recordingWithinMs?: number | undefined;
    /** Is told the id as soon as there is one: it is what to wait for again. */
    readonly onCreated?: ((transcriptionId: string) => void) | undefined;
  };

/** Which file of a transcript. */
export type DownloadOptions = CallOptions & {
  /** Markdown if left out; of a live transcription, its own file. */
  readonly format?: TranscriptFormat | undefined;
};

const twoHoursMs = 2 * 3_600_000;
const firstPollMs = 1_000;
const longestPollMs = 15_000;

/** The operations on transcriptions. */
export class Transcriptions {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Schedules the transcription of a recording, or finds the one that is in progress. */
  async create(
    recording: CreateTranscription,
    { idempotencyKey, signal }: WriteOptions = {},
  ): Promise<{ readonly transcriptionId: string }> {
    const parts = { body: recording, idempotencyKey };
    const headers = await this.#api.headers('createTranscription', parts, { signal });
    const transcriptionId = headers.get('location')?.split('/').at(-1);
    if (!transcriptionId) {
      throw new ConnectionError('unexpected_answer', 'The answer names no transcription: is `location` exposed?');
    }
    return { transcriptionId };
  }

  /** Creates a transcription and waits until it is ready. Throws a `TranscriptionFailedError` or `WaitTimeoutError`. */
  async createAndWait(recording: CreateTranscription, options: CreateAndWaitOptions = {}): Promise<Transcription> {
    const { transcriptionId } = await this.#createKnown(recording, options);
    options.onCreated?.(transcriptionId);
    return this.#untilReady(transcriptionId, options, true);
  }

  /** Bears with a recording that is unknown as yet. */
  async #createKnown(recording: CreateTranscription, options: CreateAndWaitOptions) {
    const { recordingWithinMs = 10_000, idempotencyKey, signal } = options;
    const until = Date.now() + recordingWithinMs;
    for (;;) {
      try {
        return await this.create(recording, { idempotencyKey, signal });
      } catch (error) {
        const isUnknown = error instanceof NotFoundError && error.code === 'recording_not_found';
        if (!isUnknown || Date.now() + firstPollMs > until) throw error;
        await pause(firstPollMs, signal);
      }
    }
  }

  /**
   * Waits until a transcription is ready; once it was seen, through faults that pass. Throws a `TranscriptionFailedError`,
   * or a `WaitTimeoutError` when the time is over.
   */
  wait(transcriptionId: string, options: WaitOptions = {}): Promise<Transcription> {
    return this.#untilReady(transcriptionId, options, false);
  }

  async #untilReady(transcriptionId: string, options: WaitOptions, wasSeen: boolean): Promise<Transcription> {
    const { timeoutMs = twoHoursMs, onProgress, signal } = options;
    const deadline = new AbortController();
    const cancel = after(timeoutMs, () => deadline.abort(new WaitTimeoutError(transcriptionId, timeoutMs)));
    const end = anyOf(signal, deadline.signal);
    let isKnown = wasSeen;
    try {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
        const transcription = await this.#look(transcriptionId, isKnown, end);
        isKnown = true;
        if (transcription) onProgress?.(transcription);
        if (transcription?.state === 'ready') return transcription;
        if (transcription?.state === 'failed') throw new TranscriptionFailedError(transcription);
        await pause(pollMs * (0.75 + Math.random() / 2), end);
      }
    } finally {
      cancel();
    }
  }

  /** Undefined for now, where the service cannot be asked in passing after one that is known. */
  async #look(transcriptionId: string, isKnown: boolean, signal: AbortSignal | undefined) {
    try {
      return await this.get(transcriptionId, { signal });
    } catch (error) {
      if (isKnown && canPass(error)) return undefined;
      throw error;
    }
  }

  /** The organization's transcriptions, in the order and with the filter of the query. */
  list(query: ListTranscriptions = {}, options: CallOptions = {}): List<Transcription> {
    return listOf(query, (asked) => this.#api.json('listTranscriptions', { query: asked }, options));
  }

  /** A transcription as it is now. */
  get(transcriptionId: string, options: CallOptions = {}): Promise<Transcription> {
    return this.#api.json('getTranscription', { params: { transcriptionId } }, options);
  }

  /** A link by which its transcript can be downloaded without a token. */
  createAccessLink(
    transcriptionId: string,
    { signal, ...query }: CreateAccessLink & CallOptions = {},
  ): Promise<AccessLink> {
    return this.#api.json('createAccessLink', { params: { transcriptionId }, query }, { signal });
  }

  /** Its transcript: an answer whose body is yet to be read, as a stream or whole. */
  download(transcriptionId: string, options: DownloadOptions = {}): Promise<Response> {
    return this.#follow(transcriptionId, (file) => file, options);
  }

  /** Its transcript as text, in any of the formats; Markdown if none is named. */
  downloadText(transcriptionId: string, options: DownloadOptions = {}): Promise<string> {
    return this.#follow(transcriptionId, (file) => file.text(), options);
  }

  /** Its transcript as data: turns with speaker, times and text. */
  async downloadDocument(transcriptionId: string, options: CallOptions = {}): Promise<TranscriptDocument> {
    const text = await this.downloadText(transcriptionId, { ...options, format: 'json' });
    const otherwise = () => new ConnectionError('unexpected_answer', 'The file is no JSON.');
    return parseJson(text, otherwise) as TranscriptDocument;
  }

  /** Deletes it and its files; done as well where it is gone already. */
  async delete(transcriptionId: string, options: CallOptions = {}): Promise<void> {
    await this.#api.headers('deleteTranscription', { params: { transcriptionId } }, options);
  }

  /** Has up to 10 000 of them deleted, in the background. */
  async bulkDelete(transcriptionIds: readonly string[], { idempotencyKey, signal }: WriteOptions = {}): Promise<void> {
    const parts = { body: { transcriptionIds: [...transcriptionIds] }, idempotencyKey };
    await this.#api.headers('bulkDeleteTranscriptions', parts, { signal });
  }

  async #follow<Result>(transcriptionId: string, read: Read<Result>, options: DownloadOptions): Promise<Result> {
    const { accessLink } = await this.createAccessLink(transcriptionId, options);
    return this.#api.follow(accessLink, read, options);
  }
}
