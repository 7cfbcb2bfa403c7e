const begin = '<!-- Recorded by npm run record: change it there. -->\n```text\n';
const end = '\n```\n<!-- The end of the recording. -->';

/** The recording that a document has. */
export function recordingIn(document: string): string {
  const [from, to] = boundsOf(document);
  return document.slice(from, to);
}

/** The document with another recording. */
export function withRecording(document: string, recording: string): string {
  const [from, to] = boundsOf(document);
  return document.slice(0, from) + recording + document.slice(to);
}

function boundsOf(document: string): [number, number] {
  const from = document.indexOf(begin) + begin.length;
  const to = document.indexOf(end, from);
  if (from < begin.length || to < 0) throw new Error('The document has no place for the recording.');
  return [from, to];
}
