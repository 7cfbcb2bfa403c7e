import { ConnectionError } from '../../../errors.ts';
import type { Roomscribe } from '../../../roomscribe.ts';
import type { ReadDocument } from './read-document.ts';

type Reply = { readonly document: ReadDocument } | { readonly problem: string };

/** Downloads the file of a transcript and reads it in a worker, so that the page stays fluent. */
export async function loadDocument(client: Roomscribe, id: string, signal: AbortSignal): Promise<ReadDocument> {
  const response = await client.transcriptions.download(id, { format: 'json', signal });
  return readInWorker(await response.arrayBuffer(), signal);
}

function readInWorker(file: ArrayBuffer, signal: AbortSignal): Promise<ReadDocument> {
  const worker = new Worker(new URL('./document.worker.ts', import.meta.url), { type: 'module' });
  const reply = new Promise<ReadDocument>((resolve, reject) => {
    const fail = (problem: string) => reject(new ConnectionError('unexpected_answer', problem));
    worker.onmessage = ({ data }: MessageEvent<Reply>) =>
      'document' in data ? resolve(data.document) : fail(data.problem);
    worker.onerror = ({ message }) => fail(message);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  worker.postMessage(file, [file]);
  return reply.finally(() => worker.terminate());
}
