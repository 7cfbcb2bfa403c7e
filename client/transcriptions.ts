import { type Api, type CallOptions, parseJson, type Read } from './api.ts';
import { ConnectionError, NotFoundError, TranscriptionFailedError, WaitTimeoutError } from './errors.ts';
import { isTemporary } from './http.ts';
import { type List, listOf } from './list.ts';
import { after, anyOf, pause } from './signals.ts';
import type {
  AccessLink,
  CorrectSpeaker,
  CreateAccessLink,
  CreateRecordingLink,
  CreateTranscription,
  ListTranscriptions,
  RecordingLink,
  Speaker,
  TranscriptDocument,
  TranscriptFormat,
  Transcription,
  TranscriptionDetail,
} from './types.ts';

/** The options of a write. */
export type WriteOptions = CallOptions & {
  /** Your own key, if your process can end before it receives the answer. Default: a new key for each call. */
  readonly idempotencyKey?: string | undefined;
};

/** The options of a wait. */
export type WaitOptions = CallOptions & {
  /** Time limit of the whole wait in milliseconds. Default: 2 hours. The transcription continues after it. */
  readonly timeoutMs?: number | undefined;
  /** Called with the transcription after each poll. */
  readonly onProgress?: ((transcription: Transcription) => void) | undefined;
};

/** The options of `createAndWait`. */
export type CreateAndWaitOptions = WriteOptions &
  WaitOptions & {
    /** How long to retry while the recording is unknown, because its event can be in a queue. Default: 10 seconds. */
    readonly recordingWithinMs?: number | undefined;
    /** Called with the id when the transcription is created. Use the id to wait again. */
    readonly onCreated?: ((transcriptionId: string) => void) | undefined;
  };

/** The options of a download. */
export type DownloadOptions = CallOptions & {
  /** Default: Markdown, or the one format of a live transcription. */
  readonly format?: TranscriptFormat | undefined;
};

const twoHoursMs = 2 * 3_600_000;
const firstPollMs = 1_000;
const longestPollMs = 15_000;
/** Long enough for every retry of a download, and a link of S3, which needs no redirect. */
const downloadLinkSeconds = 900;

/** The operations on transcriptions. */
export class Transcriptions {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Starts the transcription of a recording, or returns the one that is in progress. */
  async create(
    recording: CreateTranscription,
    { idempotencyKey, ...options }: WriteOptions = {},
  ): Promise<{ readonly transcriptionId: string }> {
    const parts = { body: recording, idempotencyKey };
    const headers = await this.#api.headers('createTranscription', parts, options);
    const transcriptionId = headers.get('location')?.split('/').at(-1);
    if (!transcriptionId) {
      const message = 'The answer has no readable `location` header. A proxy can remove it, or CORS can hide it.';
      throw new ConnectionError('unexpected_answer', message);
    }
    return { transcriptionId };
  }

  /** Creates a transcription and waits until it is ready. Throws a `TranscriptionFailedError` or `WaitTimeoutError`. */
  async createAndWait(
    recording: CreateTranscription,
    options: CreateAndWaitOptions = {},
  ): Promise<TranscriptionDetail> {
    const { transcriptionId } = await this.#createKnown(recording, options);
    options.onCreated?.(transcriptionId);
    return this.#untilReady(transcriptionId, options, true);
  }

  /** Creates a transcription, and retries while the recording is unknown. */
  async #createKnown(recording: CreateTranscription, options: CreateAndWaitOptions) {
    const { recordingWithinMs = 10_000, idempotencyKey, signal, maxRetries } = options;
    const until = Date.now() + recordingWithinMs;
    for (;;) {
      try {
        return await this.create(recording, { idempotencyKey, signal, maxRetries });
      } catch (error) {
        const isUnknown = error instanceof NotFoundError && error.code === 'recording_not_found';
        if (!isUnknown || Date.now() + firstPollMs > until) throw error;
        await pause(firstPollMs, signal);
      }
    }
  }

  /**
   * Waits until a transcription is ready. After the first successful poll, temporary failures do not end the wait. Throws a
   * `TranscriptionFailedError`, or a `WaitTimeoutError` after the time limit.
   */
  wait(transcriptionId: string, options: WaitOptions = {}): Promise<TranscriptionDetail> {
    return this.#untilReady(transcriptionId, options, false);
  }

  async #untilReady(transcriptionId: string, options: WaitOptions, wasSeen: boolean): Promise<TranscriptionDetail> {
    const { timeoutMs = twoHoursMs, onProgress, signal, maxRetries } = options;
    const deadline = new AbortController();
    const cancel = after(timeoutMs, () => deadline.abort(new WaitTimeoutError(transcriptionId, timeoutMs)));
    const end = anyOf(signal, deadline.signal);
    let isKnown = wasSeen;
    try {
      for (let pollMs = firstPollMs; ; pollMs = Math.min(longestPollMs, pollMs * 1.5)) {
        const transcription = await this.#look(transcriptionId, isKnown, { signal: end, maxRetries });
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

  /** Polls once. Returns undefined after a temporary failure if the transcription is known to exist. */
  async #look(transcriptionId: string, isKnown: boolean, options: CallOptions) {
    try {
      return await this.get(transcriptionId, options);
    } catch (error) {
      if (isKnown && isTemporary(error)) return undefined;
      throw error;
    }
  }

  /** Lists the organization's transcriptions, with the filter and in the order of the query. */
  list(query: ListTranscriptions = {}, options: CallOptions = {}): List<Transcription> {
    return listOf(query, this.#api.pages('listTranscriptions', options));
  }

  /** Returns the current state of a transcription, with who speaks in it once it is ready. */
  get(transcriptionId: string, options: CallOptions = {}): Promise<TranscriptionDetail> {
    return this.#api.json('getTranscription', { params: { transcriptionId } }, options);
  }

  /**
   * Says who a speaker of a ready transcript is: a participant of its session, or a name. Returns the speaker. The files have the name some
   * seconds later, and links to them stay valid.
   */
  correctSpeaker(
    transcriptionId: string,
    speaker: string,
    who: CorrectSpeaker,
    options: CallOptions = {},
  ): Promise<Speaker> {
    return this.#api.json('correctSpeaker', { params: { transcriptionId, speaker }, body: who }, options);
  }

  /** Takes the correction of a speaker back. Succeeds if there is none. */
  async undoSpeakerCorrection(transcriptionId: string, speaker: string, options: CallOptions = {}): Promise<void> {
    await this.#api.headers('undoSpeakerCorrection', { params: { transcriptionId, speaker } }, options);
  }

  /** Creates a link to download the transcript without a token. */
  createAccessLink(
    transcriptionId: string,
    { signal, timeoutMs, maxRetries, ...query }: CreateAccessLink & CallOptions = {},
  ): Promise<AccessLink> {
    const options = { signal, timeoutMs, maxRetries };
    return this.#api.json('createAccessLink', { params: { transcriptionId }, query }, options);
  }

  /** Creates a link to play the recording without a token, for 15 minutes, if the deployment allows it. */
  recordingLink(
    transcriptionId: string,
    { signal, timeoutMs, maxRetries, ...query }: CreateRecordingLink & CallOptions = {},
  ): Promise<RecordingLink> {
    const options = { signal, timeoutMs, maxRetries };
    return this.#api.json('createRecordingLink', { params: { transcriptionId }, query }, options);
  }

  /**
   * Revokes the links of the API to a transcript. Links of S3, which live for up to 3540 seconds, cannot be revoked. Succeeds if
   * the transcription has no links or no longer exists.
   */
  async revokeAccessLinks(transcriptionId: string, options: CallOptions = {}): Promise<void> {
    await this.#api.headers('revokeAccessLinks', { params: { transcriptionId } }, options);
  }

  /** Downloads the transcript. Returns a response whose body you read, as a stream or at once. */
  download(transcriptionId: string, options: DownloadOptions = {}): Promise<Response> {
    return this.#follow(transcriptionId, (file) => file, options);
  }

  /** Downloads the transcript as text, in any format. Default: Markdown. */
  downloadText(transcriptionId: string, options: DownloadOptions = {}): Promise<string> {
    return this.#follow(transcriptionId, (file) => file.text(), options);
  }

  /** Downloads the transcript as data: speakers, and turns with their words. */
  async downloadDocument(transcriptionId: string, options: CallOptions = {}): Promise<TranscriptDocument> {
    const text = await this.downloadText(transcriptionId, { ...options, format: 'json' });
    const otherwise = () => new ConnectionError('unexpected_answer', 'The file is not JSON.');
    return parseJson(text, otherwise) as TranscriptDocument;
  }

  /** Deletes a transcription and its files. Succeeds if it no longer exists. */
  async delete(transcriptionId: string, options: CallOptions = {}): Promise<void> {
    await this.#api.headers('deleteTranscription', { params: { transcriptionId } }, options);
  }

  /** Deletes up to 10 000 transcriptions in the background. */
  async bulkDelete(
    transcriptionIds: readonly string[],
    { idempotencyKey, ...options }: WriteOptions = {},
  ): Promise<void> {
    const parts = { body: { transcriptionIds: [...transcriptionIds] }, idempotencyKey };
    await this.#api.headers('bulkDeleteTranscriptions', parts, options);
  }

  async #follow<Result>(transcriptionId: string, read: Read<Result>, options: DownloadOptions): Promise<Result> {
    const link = { ...options, validForSeconds: downloadLinkSeconds };
    const { accessLink } = await this.createAccessLink(transcriptionId, link);
    return this.#api.follow(accessLink, read, options);
  }
}
