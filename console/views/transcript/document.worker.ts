import { readDocument } from './read-document.ts';

// Reads the file of a transcript beside the page. The file of 24 hours has tens of megabytes, which would stop the page for a moment.

const decoder = new TextDecoder();
const pieces: string[] = [];

/** Takes the chunks of the file, and answers when it has all of them. */
addEventListener('message', ({ data }: MessageEvent<Uint8Array | undefined>) => {
  if (data !== undefined) {
    pieces.push(decoder.decode(data, { stream: true }));
    return;
  }
  try {
    postMessage({ document: readDocument(pieces.join('') + decoder.decode()) });
  } catch (error) {
    postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});
