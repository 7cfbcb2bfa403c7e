import { texts } from '../../texts/en.ts';

/** The view transcript. */
export function TranscriptView() {
  return <h1>{texts.transcript.title}</h1>;
}
