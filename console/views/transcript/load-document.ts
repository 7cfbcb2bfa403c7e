import { ConnectionError } from '../../../client/errors.ts';
import type { Roomscribe } from '../../../client/roomscribe.ts';
import { unlessAborted } from '../../../client/signals.ts';
import { ViewLoadError } from '../../parts/page/view-load-error.ts';
import { answerMs } from '../../sign-in/config.ts';
import type { ReadDocument } from './read-document.ts';

type Reply = { readonly document: ReadDocument } | { readonly problem: string };

/** Downloads the file of a transcript and reads it in a worker, so that the page stays fluent. */
export async function loadDocument(client: Roomscribe, id: string, signal: AbortSignal): Promise<ReadDocument> {
  const response = await client.transcriptions.download(id, { format: 'json', signal });
  const worker = new Worker(new URL('./document.worker.ts', import.meta.url), { type: 'module' });
  try {
    const reply = replyOf(worker, signal);
    const sent = sendChunks(worker, response);
    const [document] = await Promise.all([reply, sent]);
    return document;
  } finally {
    worker.terminate();
  }
}

/** Hands the file over as it arrives, unless it stops to arrive. Putting together tens of megabytes would take the page a moment. */
async function sendChunks(worker: Worker, { body }: Response): Promise<void> {
  const reader = body?.getReader();
  const next = () => unlessAborted(reader?.read() ?? Promise.resolve(undefined), AbortSignal.timeout(answerMs));
  for (let chunk = await next(); chunk && !chunk.done; chunk = await next()) {
    worker.postMessage(chunk.value, [chunk.value.buffer]);
  }
  worker.postMessage(undefined);
}

function replyOf(worker: Worker, signal: AbortSignal): Promise<ReadDocument> {
  return new Promise((resolve, reject) => {
    const fail = (problem: string) =>
      reject(new ConnectionError('unexpected_answer', `The file of the transcript cannot be read: ${problem}.`));
    worker.onmessage = ({ data }: MessageEvent<Reply>) =>
      'document' in data ? resolve(data.document) : fail(data.problem);
    worker.onerror = ({ message }) =>
      message ? fail(message) : reject(new ViewLoadError('The reader was not loaded.'));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
