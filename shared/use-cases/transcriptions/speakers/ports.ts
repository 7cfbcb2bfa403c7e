import type { TalkMessage, TranscriptChangeMessage } from '#shared/contracts/change-messages.ts';
import type { TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import type { StoredTranscription, TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';

/** Who speaks in the transcripts of all organizations. */
export type SpeakerStore = {
  /** Reads who speaks in a transcription, with strong consistency. */
  find(key: TranscriptionKey): Promise<TranscriptSpeakers | undefined>;
  /** Stores who speaks by the evidence. Does nothing if a person has corrected a speaker already. */
  begin(
    key: TranscriptionKey,
    speakers: Pick<TranscriptSpeakers, 'languageCode' | 'languages' | 'speakers'>,
  ): Promise<void>;
  /** Removes the row. Returns false if it named no participant; without a row, that is not known. */
  remove(key: TranscriptionKey): Promise<boolean>;
};

/** Reads a transcription, or its tombstone, and who speaks in it, with strong consistency. */
export type SpokenReader = (key: TranscriptionKey) => Promise<{
  readonly stored: StoredTranscription | undefined;
  readonly speakers: TranscriptSpeakers | undefined;
}>;

/** Changes who speaks in the transcripts of all organizations. */
export type SpeakerChanges = {
  /**
   * Stores other speakers or corrections than those that were read, and the notice of it if the transcription is ready and shows others
   * now. Returns false if the row or the transcription was changed or removed meanwhile.
   */
  change(
    key: TranscriptionKey,
    asRead: ReadSpeakers,
    to: Partial<Pick<TranscriptSpeakers, 'speakers' | 'corrections'>>,
  ): Promise<boolean>;
};

/** Who speaks in a transcription, and the transcription or its tombstone, as they were read. */
export type ReadSpeakers = {
  readonly row: TranscriptSpeakers;
  readonly transcription: StoredTranscription | undefined;
};

/** Asks for the files of a transcript to be written again, or for its talk times to be measured again, at once or after some seconds. */
export type SendTranscriptChange = (
  message: TranscriptChangeMessage | TalkMessage,
  delaySeconds?: number,
) => Promise<void>;
