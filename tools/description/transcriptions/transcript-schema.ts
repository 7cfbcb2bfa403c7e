import { TranscriptDocument, Turn, Word } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { Json } from '../answers.ts';
import { describedSchemas } from '../schema-components.ts';
import { described } from '../texts.ts';
import { correctedSpeaker, readyTranscription, transcriptionResponses } from './transcription-schemas.ts';

const { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds } = readyTranscription;

const word: Word = { text: 'Good', startSeconds: 0.51, endSeconds: 0.83, confidence: 0.998 };
const turn: Turn = {
  speaker: correctedSpeaker.speaker,
  startSeconds: 0.51,
  endSeconds: 1.2,
  text: 'Good morning.',
  words: [word, { text: 'morning.', startSeconds: 0.83, endSeconds: 1.2, confidence: 0.971 }],
};

/** An example of the `json` file of a transcript. */
export const exampleDocument: TranscriptDocument = {
  ...{ transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds },
  languageCode: 'en-US',
  speakers: [{ ...correctedSpeaker, spokenSeconds: 0.69, turns: 1, longestTurnSeconds: 0.69 }],
  turns: [turn],
};

const { Speaker, MissingSpan } = transcriptionResponses;

const schemas = {
  Transcript: described(TranscriptDocument, {
    description: 'The content of the `json` file of a transcript that the service has made.',
    fields: {
      transcriptionId: 'Identifier of the transcription.',
      roomName: 'Name of the room; starts with `/`.',
      roomSessionId: 'Identifier of the room session.',
      startDate: 'When the recording starts.',
      endDate: 'When the recording ends.',
      durationInSeconds: 'Billable time, rounded up to a whole second.',
      languageCode:
        'Language, such as `en-US`, and of several the one that was spoken longest; `null` if the engine named none.',
      languages: 'All languages, the one that was spoken longest first. Only if several were heard.',
      recordedSeconds: 'Length of the recording by its files. Only of a transcription that was made in parts.',
      clockStartDate: 'The date of time 0. Only of a transcription that was made in parts.',
      missing: 'What the transcript lacks, by its start. Only if something is missing.',
      approximateTimes:
        'True if a file has holes, so that times after the first one are not exact, or if a date is wrong by more than a minute.',
      speakers: 'Everyone who speaks, in the order of their first turns.',
      turns: 'What is said, by its start. Turns of several tracks can overlap.',
      echoes:
        'What microphones heard of other speakers, for example from a loudspeaker. It is not in `turns`. Only of a recording with tracks or `channels`.',
    },
    example: exampleDocument,
  }),
  Turn: described(Turn, {
    description: 'The words of one speaker until another speaks.',
    fields: {
      speaker: 'The `speaker` of an element of `speakers`. It stays the same when the name is corrected.',
      startSeconds: 'When the first word begins, in seconds from the start of the recording, or from `clockStartDate`.',
      endSeconds: 'When the last word ends, on the same clock.',
      text: 'The words as they are written.',
      words: 'Each word.',
    },
    example: turn,
  }),
  Word: described(Word, {
    description: 'A word as it is written, with the punctuation after it.',
    fields: {
      text: 'The word.',
      startSeconds: 'When it begins, on the clock of the turn.',
      endSeconds: 'When it ends, on the clock of the turn.',
      confidence: 'How sure the engine is, from 0 to 1; `null` if it does not say.',
    },
    example: word,
  }),
  Speaker,
  MissingSpan,
};

/** The JSON Schema of the `json` file of a transcript. */
export function transcriptSchema(): Json {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Roomscribe transcript',
    $ref: '#/$defs/Transcript',
    $defs: describedSchemas(schemas, 'output', (name) => `#/$defs/${name}`),
  };
}
