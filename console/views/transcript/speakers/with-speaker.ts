import type { Speaker, TranscriptionDetail } from '../../../../client/types.ts';

/** A transcription with changes of one speaker. */
export function withSpeaker(
  transcription: TranscriptionDetail,
  label: string,
  changes: Partial<Speaker>,
): TranscriptionDetail {
  const { speakers } = transcription;
  if (!speakers) return transcription;
  return {
    ...transcription,
    speakers: speakers.map((each) => (each.speaker === label ? { ...each, ...changes } : each)),
  };
}
