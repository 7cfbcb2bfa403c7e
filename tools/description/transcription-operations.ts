import type { transcriptionEndpoints } from '../../shared/contracts/transcription-endpoints.ts';
import type { OperationsTexts, ParameterTexts } from './texts.ts';
import {
  failedTranscription,
  readyTranscription,
  transcriptionRequests,
  transcriptionResponses,
  unfinishedTranscription,
} from './transcription-schemas.ts';

const { transcriptionId } = readyTranscription;
const path = { transcriptionId: { description: 'Identifier of the transcription.', example: transcriptionId } };

const headers = {
  'idempotency-key': {
    description:
      'A key of your own for this request, such as a new UUID. Repeated within 24 hours with the same key and body, a ' +
      'request that was carried out gets the same answer and is not done again; with another body it is a 422.',
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
};

const oneFilter = 'At most one of the filters by a value may be given; the list is then sorted by `startDate`.';

const filters = {
  roomName: { description: 'Only those of the room of exactly this name.', example: '/team/standup' },
  state: { description: `Only those in this state. ${oneFilter}` },
  type: { description: `Only those of this type. ${oneFilter}` },
  roomSessionId: { description: `Only those of this room session. ${oneFilter}` },
  recordingId: { description: `Only those made from this recording. ${oneFilter}` },
  startDateFrom: { description: 'Only those whose `startDate` is this time or later; sorted by `startDate`.' },
  startDateTo: { description: 'Only those whose `startDate` is before this time; sorted by `startDate`.' },
} satisfies Readonly<Record<string, ParameterTexts>>;

/** What people are told of the endpoints of the transcriptions. */
export const transcriptionOperations: OperationsTexts<typeof transcriptionEndpoints> = {
  createTranscription: {
    summary: 'Create a transcription',
    description:
      'Schedules the transcription of a recording. The work goes on after the answer: get the transcription until its ' +
      '`state` is not `in_progress`. While a transcription of the recording is in progress, every further request ' +
      'answers with the same `Location` and starts nothing; after it ended or was deleted, one starts a new one.',
    errors: ['recording_not_found'],
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
      description: 'Scheduled. The body is empty.',
      headers: {
        location: { description: 'Path of the transcription.', example: `/v1/transcriptions/${transcriptionId}` },
      },
    },
  },
  listTranscriptions: {
    summary: 'List transcriptions',
    description:
      "The organization's transcriptions, page by page. A page costs the same however deep it is, and what comes or goes " +
      'between two pages causes no other to be repeated or left out. A change shows here after a moment.\n\n' +
      'Every filter is answered by an index, so of `roomName`, `state`, `type`, `roomSessionId` and `recordingId` one can ' +
      'be given at a time. With any of these but `roomName`, and with a range of `startDate`, the order is that of `startDate`.',
    errors: [],
    query: {
      ...filters,
      cursor: { description: 'The `cursor` of the page before, with the same filters and `sortBy`.' },
      limit: { description: 'How many transcriptions a page has at most.', example: 50 },
      sortBy: { description: 'Order of the list. Ties stand in the order of `startDate`, then of `transcriptionId`.' },
    },
    success: {
      description: 'One page.',
      examples: {
        lastPage: { summary: 'The only page', value: { results: [readyTranscription], cursor: null } },
        firstPage: {
          summary: 'A page with more behind it',
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
        ready: { summary: 'It can be downloaded', value: readyTranscription },
        inProgress: { summary: 'It is still being generated', value: unfinishedTranscription },
        failed: { summary: 'It could not be generated', value: failedTranscription },
      },
    },
  },
  createAccessLink: {
    summary: 'Get an access link',
    description:
      'A link by which the transcript can be downloaded without a token until `expires`. Only for transcriptions that ' +
      'are `ready` and `SERVICE_HOSTED`. A link dies with the credentials that sign it, after an hour at most: `expires` ' +
      'says when, whatever was asked for. It also ends when its transcription is deleted.',
    errors: [
      'transcription_not_ready',
      'transcription_failed',
      'self_hosted',
      'transcription_not_found',
      'transcript_not_found',
    ],
    params: path,
    query: {
      validForSeconds: { description: 'How long the link is to stay valid, in seconds.', example: 3600 },
      format: {
        description:
          'Format of the file; `md` if left out. Of a live transcription there is one file: leave it out, or name its own.',
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
  bulkDeleteTranscriptions: {
    summary: 'Delete transcriptions in bulk',
    description:
      'Schedules the deletion of up to 10 000 transcriptions, and returns at once. Ids that do not exist, or no longer, ' +
      'make no difference. One that is no UUID, or one too many, is a 400 and nothing is scheduled.',
    errors: [],
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
    description: 'Deletes the transcription and its files. The same answer when it was deleted before, or never was.',
    errors: [],
    params: path,
    success: { description: 'Deleted. The body is empty.' },
  },
};
