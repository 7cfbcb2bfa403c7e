import type { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { OperationsTexts, ParameterTexts, Respelling } from '../texts.ts';
import {
  correctedSpeaker,
  failedTranscription,
  readyTranscription,
  transcriptionRequests,
  transcriptionResponses,
  unfinishedTranscription,
} from './transcription-schemas.ts';

const { transcriptionId } = readyTranscription;
const path = { transcriptionId: { description: 'Identifier of the transcription.', example: transcriptionId } };

const speakerPath = {
  ...path,
  speaker: { description: 'The `speaker` of an element of `speakers`.', example: correctedSpeaker.speaker },
};

const headers = {
  'idempotency-key': {
    description:
      'Your own key for this request, such as a new UUID. If you repeat a successful request within 24 hours with the ' +
      'same key and body, it gets the same answer and does not run again. With another body, the answer is a 422.',
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
};

const oneFilter = 'Sorted by `startDate`. Can be combined only with a range of `startDate`.';

const filters = {
  roomName: { description: 'Only transcriptions of the room with exactly this name.', example: '/team/standup' },
  'roomName[exact]': { sameAs: 'roomName' },
  state: { description: `Only transcriptions in this state. ${oneFilter}` },
  type: { description: `Only transcriptions of this type. ${oneFilter}` },
  roomSessionId: { description: `Only transcriptions of this room session. ${oneFilter}` },
  recordingId: { description: `Only transcriptions of this recording. ${oneFilter}` },
  startDateFrom: {
    description: 'Only transcriptions whose `startDate` is this time or later, sorted by `startDate`.',
  },
  'startDate[from]': { sameAs: 'startDateFrom' },
  startDateTo: { description: 'Only transcriptions whose `startDate` is before this time, sorted by `startDate`.' },
  'startDate[to]': { sameAs: 'startDateTo' },
} satisfies Readonly<Record<string, ParameterTexts | Respelling>>;

/** The texts of the transcription endpoints. */
export const transcriptionOperations: OperationsTexts<typeof transcriptionEndpoints> = {
  createTranscription: {
    summary: 'Create a transcription',
    description:
      'Starts the transcription of a recording. The transcription continues after the answer: poll it until its `state` ' +
      'is not `in_progress`. While a transcription of the recording is in progress, every further request returns the ' +
      'same `Location` and starts nothing. After that transcription has ended or was deleted, a request starts a new one. ' +
      'A recording of which only tracks were reported is not found until it is finished, or until some time after its session.',
    errors: ['recording_not_found', 'too_many_minutes'],
    headers,
    body: {
      description: 'The recording.',
      examples: {
        recording: {
          summary: 'A recording of the organization',
          value: { recordingId: '6f0d3e0a-6a2f-4a55-9c0e-2b8c0f7d5c31' },
        },
      },
    },
    success: {
      description: 'Started. The body is empty.',
      headers: {
        location: { description: 'Path of the transcription.', example: `/v1/transcriptions/${transcriptionId}` },
      },
    },
  },
  listTranscriptions: {
    summary: 'List transcriptions',
    description:
      "The organization's transcriptions, page by page. Every page costs the same. Transcriptions that are added or " +
      'deleted between two pages do not cause others to be repeated or skipped. The list shows a change after a moment.\n\n' +
      'An index answers every filter, so you can use only one of `roomName`, `state`, `type`, `roomSessionId` and ' +
      '`recordingId` at a time. With each of these except `roomName`, and with a range of `startDate`, the list is sorted ' +
      'by `startDate`.',
    errors: [],
    query: {
      ...filters,
      cursor: { description: 'The `cursor` of the previous page, with the same filters and `sortBy`.' },
      limit: { description: 'Maximum number of transcriptions in a page.', example: 50 },
      sortBy: { description: 'Order of the list. Ties are sorted by `startDate`, then by `transcriptionId`.' },
    },
    success: {
      description: 'One page.',
      examples: {
        lastPage: { summary: 'The only page', value: { results: [readyTranscription], cursor: null } },
        firstPage: {
          summary: 'A page that is not the last',
          value: { results: [failedTranscription, readyTranscription], cursor: 'eyJhZnRlciI6Ii4uLiJ9' },
        },
      },
    },
  },
  getTranscription: {
    summary: 'Get a transcription',
    description: 'The transcription as it is now.',
    errors: ['transcription_not_found'],
    params: path,
    success: {
      description: 'The transcription.',
      examples: {
        ready: {
          summary: 'Ready for download',
          value: { ...readyTranscription, language: 'en-US', speakers: [correctedSpeaker] },
        },
        inProgress: { summary: 'In progress', value: unfinishedTranscription },
        failed: { summary: 'Failed', value: failedTranscription },
      },
    },
  },
  correctSpeaker: {
    summary: 'Correct a speaker',
    description:
      'Says who a speaker of a ready transcript is: a participant of the session, or a name. The answer and the transcription have ' +
      'the new name at once, and the files some seconds later. Links keep working. Another transcription of the recording begins ' +
      'without corrections.',
    errors: ['transcription_not_found', 'speaker_not_found', 'participant_not_found'],
    params: speakerPath,
    body: {
      description: 'Who it is.',
      examples: {
        participant: { summary: 'A participant of the session', value: { participantId: 'p-17' } },
        name: { summary: 'A name', value: { displayName: 'Ada Lovelace' } },
      },
    },
    success: {
      description: 'The speaker.',
      examples: { corrected: { summary: 'Corrected', value: correctedSpeaker } },
    },
  },
  undoSpeakerCorrection: {
    summary: 'Undo a correction',
    description:
      'Takes a correction back, so that the speaker has the name again that the service found. Without a correction, nothing changes.',
    errors: ['transcription_not_found', 'speaker_not_found'],
    params: speakerPath,
    success: { description: 'The speaker has no correction.' },
  },
  createAccessLink: {
    summary: 'Get an access link',
    description:
      'A link to download the transcript without a token until `expires`. The transcription must be `ready` and ' +
      '`SERVICE_HOSTED`. The link lives as long as you request. For up to 3540 seconds it is a link of S3. For longer it is a ' +
      'link of this API, which redirects to S3 and which you can revoke. Both stop working when the transcription is deleted.',
    errors: [
      'transcription_not_ready',
      'transcription_failed',
      'self_hosted',
      'transcription_not_found',
      'transcript_not_found',
    ],
    params: path,
    query: {
      validForSeconds: { description: 'Requested lifetime of the link in seconds.', example: 3600 },
      format: {
        description:
          'Format of the file. Default: `md`. A live transcription has one file: leave `format` out, or use its own format.',
        example: 'vtt',
      },
    },
    success: {
      description: 'The link.',
      examples: {
        link: { summary: 'A link to the transcript in Markdown', value: transcriptionResponses.AccessLink.example },
      },
    },
  },
  createRecordingLink: {
    summary: 'Get a link to the recording',
    description:
      'A link of S3 to play the recording of a transcription, without a token, for 15 minutes. Without `participantId`, it is the ' +
      'mixed file. It supports ranges, so that players can seek. The operator decides whether a deployment has such links.',
    errors: ['recording_links_disabled', 'transcription_not_found', 'recording_file_not_found'],
    params: path,
    query: {
      participantId: {
        description:
          'The participant whose track the link opens: the first one of the microphone or, without one, of the screen. Up to 256 bytes of UTF-8.',
        example: 'p-17',
      },
    },
    success: {
      description: 'The link.',
      examples: {
        link: { summary: 'A link to a mixed file', value: transcriptionResponses.RecordingLink.example },
      },
    },
  },
  revokeAccessLinks: {
    summary: 'Revoke access links',
    description:
      'Ends every link of this API (`/v1/links/…`) to the transcription that was created before. A download that has just been ' +
      'redirected can go on for a minute. Links of S3 cannot be revoked: they end within an hour, or when the transcription is ' +
      'deleted. The answer is the same if the transcription has no links, was deleted or never existed.',
    errors: [],
    params: path,
    success: { description: 'Revoked. The body is empty.' },
  },
  bulkDeleteTranscriptions: {
    summary: 'Delete transcriptions in bulk',
    description:
      'Schedules the deletion of up to 10 000 transcriptions and returns immediately. Ids that do not exist are ignored. If ' +
      'one id is not a UUID, or there are too many ids, the answer is a 400 and nothing is scheduled.',
    errors: ['too_many_deletions'],
    headers,
    body: {
      description: 'The transcriptions.',
      examples: {
        two: { summary: 'Two transcriptions', value: transcriptionRequests.BulkDeleteTranscriptions.example },
      },
    },
    success: { description: 'Scheduled. The body is empty.' },
  },
  deleteTranscription: {
    summary: 'Delete a transcription',
    description:
      'Deletes the transcription and its files. The answer is the same if it was already deleted or never existed.',
    errors: [],
    params: path,
    success: { description: 'Deleted. The body is empty.' },
  },
};
