import { readDocument } from './read-document.ts';

// Reads the file of a transcript beside the page. The file of 24 hours has tens of megabytes, which would stop the page for a moment.

addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) => {
  try {
    postMessage({ document: readDocument(new TextDecoder().decode(data)) });
  } catch (error) {
    postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
});
