import { CorrectSpeaker, Speaker } from '#shared/contracts/transcript/speaker.ts';
import { Failure, MissingSpan, Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import {
  AccessLink,
  BulkDeleteTranscriptions,
  CreateTranscription,
  RecordingLink,
  TranscriptionDetail,
  TranscriptionPage,
} from '#shared/contracts/transcriptions/transcription-operations.ts';
import {
  LanguageCode,
  LanguageCodeOrAuto,
  LanguageCodes,
  type OptionName,
  TranscriptionOptions,
} from '#shared/contracts/transcriptions/transcription-options.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import { redactableLanguages } from '#shared/domain/transcriptions/option-rules.ts';
import { described, describedValue } from '../texts.ts';

const example = failure('recording_too_long');

const missing: MissingSpan = {
  participantId: 'p-17',
  source: 'microphone',
  from: 12.5,
  to: 30.9,
  code: 'media_unreadable',
};

/** The `ready` transcription of the examples. */
export const readyTranscription: Transcription = {
  transcriptionId: '9226ec25-8833-431d-82bc-05dbfd0728fb',
  roomSessionId: '91981094-2029-46e9-858d-60a19d229ac9',
  roomName: '/team/standup',
  createdAt: '2026-03-02T09:05:00.000Z',
  startDate: '2026-03-02T09:00:00.000Z',
  endDate: '2026-03-02T09:00:31.000Z',
  state: 'ready',
  durationInSeconds: 31,
  type: 'RECORDING_TRANSCRIPTION',
  filename: '9226ec25-8833-431d-82bc-05dbfd0728fb.md',
  storageType: 'SERVICE_HOSTED',
};

/** A corrected speaker of the examples. */
export const correctedSpeaker: Speaker = {
  speaker: 'Speaker 1',
  participantId: 'p-17',
  displayName: 'Ada Lovelace',
  source: 'corrected',
  confidence: 1,
  spokenSeconds: 24.5,
  turns: 3,
  share: 1,
  longestTurnSeconds: 12.25,
  overlapSeconds: 0,
};

/** The `failed` transcription of the examples. */
export const failedTranscription: Transcription = {
  ...readyTranscription,
  transcriptionId: '4f7d1c7e-5a4b-4f0e-9a39-0f6f3c1d2b11',
  endDate: '2026-03-02T13:30:00.000Z',
  state: 'failed',
  durationInSeconds: 0,
  filename: null,
  failure: example,
};

/** The `in_progress` transcription of the examples. */
export const unfinishedTranscription: Transcription = {
  ...readyTranscription,
  state: 'in_progress',
  durationInSeconds: 0,
  filename: null,
};

const optionsExample: TranscriptionOptions = {
  language: 'en-US',
  vocabulary: 'product-names',
  redact: { types: ['NAME', 'PHONE'] },
};

const optionFields = {
  language:
    'A code, such as `en-US`; a list of 2 to 5 codes of different languages, one of which is spoken; or `auto`: the engine finds it out.',
  multiLanguage: 'True if several languages are spoken. Needs `auto` or a list in `language`.',
  vocabulary: "Name of a custom vocabulary in the operator's account. Needs one code in `language`.",
  vocabularyFilter:
    "Name of a vocabulary filter in the operator's account, and what it does with its words: `mask` writes `***`, `remove` leaves " +
    'them out, `tag` changes nothing in the text. Needs one code in `language`.',
  redact:
    'Types of personal data, each named once, that the transcript replaces with their type, or `ALL`. No text without redaction is made. Needs one of ' +
    `these codes in \`language\`: ${redactableLanguages.join(', ')}.`,
  maxSpeakers: 'The most voices to tell apart in one file, from 2 to 30.',
  channels:
    'Participants of the two channels of the mixed file: the first one speaks on the first channel. Not with `tracks: true`.',
  tracks: 'True: the tracks are transcribed. False: the mixed file is, even if there are tracks.',
} satisfies Record<OptionName, string>;

const transcriptionFields = {
  transcriptionId: 'Identifier of the transcription.',
  roomSessionId: 'Identifier of the room session.',
  roomName: 'Name of the room; starts with `/`.',
  createdAt: 'When the transcription was created. For a live transcription, its `startDate`.',
  startDate: 'When the recording or the live transcription starts.',
  endDate: 'When the recording or the live transcription ends; `null` while a live transcription continues.',
  state:
    'Changes once from `in_progress` to `ready` (can be downloaded) or `failed` (could not be generated). A live ' +
    'transcription that failed with `end_not_reported` changes again if its end arrives.',
  durationInSeconds: 'Billable time, rounded up to a whole second; 0 until `ready`, and 0 if `failed`.',
  type: 'Generated from a recording, or sent by the platform from a live session.',
  filename: 'Name of the file; `null` until there is a file.',
  storageType: 'The service stores the file, or the file is in your own storage, which the service does not access.',
  recordedSeconds: 'Length of the recording by its files. Not known before the service has looked at them.',
  submittedSeconds:
    'Length of all files that were given to the engine. More than `recordedSeconds` where pieces of a long recording ' +
    'overlap, and less where the silence of tracks was left out.',
  missing:
    'What the transcript lacks, by its start: the first stretches, as many as fit into 4 000 bytes. The files of the transcript name all of ' +
    'them. Only if something is missing.',
  approximateTimes:
    'True if a file has holes, so that times after the first one are not exact, or if a date is wrong by more than a minute.',
  failure: 'Why the transcription failed. Only if `failed`.',
} satisfies Record<keyof Transcription, string>;

const transcriptionExample: Transcription = {
  ...readyTranscription,
  recordedSeconds: 30.9,
  submittedSeconds: 30.9,
  missing: [missing],
  approximateTimes: false,
  failure: example,
};

/** The options, which requests and answers have. Members of the union have names, because generated clients need them. */
const options = {
  LanguageCode: describedValue(LanguageCode, 'A language and its dialect, such as `en-US`.'),
  LanguageCodeOrAuto: describedValue(LanguageCodeOrAuto, 'A code, or `auto`: the engine finds the language out.'),
  LanguageCodes: describedValue(LanguageCodes, 'Codes of different languages, one of which is spoken.'),
  TranscriptionOptions: described(TranscriptionOptions, {
    description:
      'How a recording is transcribed. Every field is optional. Options that exclude each other are refused.',
    fields: optionFields,
    example: {
      ...optionsExample,
      multiLanguage: false,
      maxSpeakers: 4,
      vocabularyFilter: { name: 'rude-words', method: 'mask' },
      channels: ['p-17', 'p-18'],
      tracks: false,
    },
  }),
};

/** The response schemas of the transcription endpoints. */
export const transcriptionResponses = {
  ...options,
  Transcription: described(Transcription, {
    description: 'A transcription of a recording or of a live session.',
    fields: transcriptionFields,
    example: transcriptionExample,
  }),
  TranscriptionDetail: described(TranscriptionDetail, {
    description: 'A transcription, with who speaks in it.',
    fields: {
      ...transcriptionFields,
      speakers:
        'Everyone who speaks, in the order of their first turns. Only of a ready transcript that the service has made.',
      language:
        'Language of the transcript, such as `en-US`, and of several the one that was spoken longest; `null` if the engine named none. Only with `speakers`.',
      languages:
        'All languages, the one that was spoken longest first. Only with `speakers`, and if several were heard.',
      options:
        'The options that took effect: those of the request, and defaults. Not of a live transcription. After an erasure, `channels` has a random id instead of the person.',
    },
    example: { ...transcriptionExample, speakers: [correctedSpeaker], language: 'en-US', options: optionsExample },
  }),
  Speaker: described(Speaker, {
    description: 'Who speaks in a transcript: a voice that the engine heard, and whose it is.',
    fields: {
      speaker:
        'Label of the speaker, which turns of the `json` file name. It stays the same when the name is corrected.',
      participantId: 'Participant of the session; `null` if it is not known who speaks.',
      displayName: 'Name to show. It is the label if nothing tells the name.',
      source:
        "How the name is known. `track`: the file was this participant's microphone or screen. " +
        '`presence`: nobody else was there when the speaker spoke. `matched`: the platform detected the voice of this participant at the same ' +
        'times. `recognizer`: the engine heard one voice, and nothing says whose. `corrected`: a person said so.',
      confidence: 'How sure the name is, from 0 to 1; `null` if nothing names the speaker.',
      input: 'What the file of the speaker recorded. Only of a recording with tracks.',
      spokenSeconds: 'Seconds of all turns.',
      turns: 'Number of turns.',
      share: 'Part of the seconds of all speakers, from 0 to 1.',
      longestTurnSeconds: 'Seconds of the longest turn.',
      overlapSeconds: 'Seconds of the turns during which somebody else speaks too.',
    },
    example: { ...correctedSpeaker, input: 'microphone' },
  }),
  Failure: described(Failure, {
    description: 'Why a transcription failed.',
    fields: {
      code:
        'Stable code to branch on. `unsupported_media`: the format cannot be transcribed. `media_unreadable`: the file is ' +
        'broken, or S3 refuses to read it. `media_encrypted`: the audio is encrypted. `no_audio`: the file has no audio track. ' +
        '`recording_missing`: the file is not at the `location` of its event, or was replaced. `recording_too_long`: over 24 hours, ' +
        'AMR of over 4 hours, or a track outside of the 24 hours of the others. ' +
        '`recording_too_large`: over 100 GB. `too_many_tracks`: over 100 participants, 1 000 files or 1 000 parts. ' +
        '`not_two_channels`: the options name the participants of two channels, and the file does not have two. ' +
        '`too_many_minutes`: the files are longer than the dates said, and than what is left of the minutes of the day. ' +
        '`no_speech`: no speech was found. `vocabulary_not_found`: the vocabulary or filter of the options does not exist. `end_not_reported`: a live transcription ' +
        'whose end did not arrive within 48 hours. `engine_not_enabled`: Amazon Transcribe is not enabled in the AWS account of the service. ' +
        '`engine_access_denied`: AWS denies the service a permission that it needs to use Amazon Transcribe. `engine_error`: any other failure.',
      message: 'A sentence that says what to do next.',
    },
    example,
  }),
  MissingSpan: described(MissingSpan, {
    description:
      'A stretch of a recording that is not in the transcript, because a part of it could not be transcribed.',
    fields: {
      participantId: 'Whose track it is. `null` for a mixed file.',
      source: '`microphone` or `screen` of the participant. Only of a track.',
      from: 'Its start, in seconds on the clock of the transcript.',
      to: 'Its end. The same as `from` if the length is not known.',
      code: 'Why it is missing: a code of a `Failure`.',
    },
    example: missing,
  }),
  TranscriptionPage: described(TranscriptionPage, {
    description: 'One page of a list of transcriptions.',
    fields: {
      results: 'The transcriptions of this page, in the requested order.',
      cursor: 'Position of the next page: send it as `cursor`. `null` on the last page.',
    },
    example: { results: [readyTranscription], cursor: null },
  }),
  AccessLink: described(AccessLink, {
    description: 'A link to download a transcript without a token.',
    fields: {
      accessLink: 'URL of the file. Everyone who has the link can download the file until it expires.',
      expires: 'When the link stops working, in milliseconds since 1970 (UTC).',
    },
    example: {
      accessLink:
        'https://transcripts.s3.eu-central-1.amazonaws.com/generated/acme/9226ec25-8833-431d-82bc-05dbfd0728fb.md?X-Amz-Signature=7c0e4f',
      expires: 1_772_442_000_000,
    },
  }),
  RecordingLink: described(RecordingLink, {
    description: 'A link to the file of a recording.',
    fields: {
      url: 'URL of the file. Everyone who has the link can play the file until it expires.',
      expiresAt: 'When the link stops working.',
      contentType: 'Media type of the file. Missing if it is not known to be audio or video.',
    },
    example: {
      url: 'https://recordings.s3.eu-central-1.amazonaws.com/acme/standup.mp4?X-Amz-Signature=7c0e4f',
      expiresAt: '2026-03-02T10:15:00.000Z',
      contentType: 'video/mp4',
    },
  }),
};

/** The request schemas of the transcription endpoints. */
export const transcriptionRequests = {
  CreateTranscription: described(CreateTranscription, {
    description: 'Which recording to transcribe.',
    fields: {
      recordingId: 'Identifier of a recording whose `recording.finished` event the service has processed.',
      options: 'How to transcribe it. Defaults of the organization and of the stage take the place of missing fields.',
    },
    example: { recordingId: '6f0d3e0a-6a2f-4a55-9c0e-2b8c0f7d5c31', options: optionsExample },
  }),
  ...options,
  CorrectSpeaker: described(CorrectSpeaker, {
    description: 'Who a speaker is: either `participantId` or `displayName`, and not both.',
    fields: {
      participantId:
        "Participant of the transcription's session. The speaker then has the name of the participant's last join.",
      displayName:
        'Name to show, up to 256 characters. It has a visible character, and no control characters, line breaks or controls of text direction.',
    },
    example: { participantId: 'p-17' },
  }),
  BulkDeleteTranscriptions: described(BulkDeleteTranscriptions, {
    description: 'Which transcriptions to delete.',
    fields: { transcriptionIds: 'Ids of the transcriptions. Repeated ids are deleted once.' },
    example: { transcriptionIds: [readyTranscription.transcriptionId, failedTranscription.transcriptionId] },
  }),
};
