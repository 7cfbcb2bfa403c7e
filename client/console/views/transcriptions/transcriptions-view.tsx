import { texts } from '../../texts/en.ts';

/** The view transcriptions. */
export function TranscriptionsView() {
  return <h1>{texts.transcriptions.title}</h1>;
}
