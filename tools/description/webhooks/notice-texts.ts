import { type NoticeType, noticeTypes } from '#shared/contracts/notices/notice-types.ts';
import { noticeVersion } from '#shared/contracts/notices/notice-version.ts';
import { type Notice, type NoticeData, noticeData, Notice as schema } from '#shared/contracts/notices.ts';
import { sessionExample } from '../insights/insight-schemas.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { DescribedSchema } from '../texts.ts';
import { readyTranscription, transcriptionRequests } from '../transcriptions/transcription-schemas.ts';

type NoticeOf<Type extends NoticeType> = Extract<Notice, { readonly type: Type }>;

const id = 'ntc_3GqX0kq0C2mV5rT8nYbA1LfZ7eW';
const createdAt = '2026-03-02T09:32:10.482Z';

const { transcriptionId, roomName, roomSessionId, type } = readyTranscription;
const { recordingId } = transcriptionRequests.CreateTranscription.example;
const ofTranscription = { transcriptionId, recordingId, roomName, roomSessionId, type };
const inState = <State extends string>(state: State) => ({ state, status: state });
const { createdAt: _, endAt: __, endedAt, ...totals } = sessionExample;

/** What each type of notices tells, in words and as an example. */
export const noticeTexts: {
  readonly [Type in NoticeType]: { readonly summary: string; readonly data: NoticeData<Type> };
} = {
  'transcription.started': {
    summary: 'A transcription was created, or a live transcription has begun.',
    data: { revision: 1, ...ofTranscription, ...inState('in_progress') },
  },
  'transcription.finished': {
    summary: 'A transcription is ready. The transcript can be downloaded.',
    data: {
      ...{ revision: 2, ...ofTranscription, ...inState('ready') },
      storageType: 'SERVICE_HOSTED',
      durationInSeconds: readyTranscription.durationInSeconds,
    },
  },
  'transcription.failed': {
    summary: 'A transcription has failed.',
    data: { revision: 2, ...ofTranscription, ...inState('failed'), failureCode: 'no_speech' },
  },
  'transcription.deleted': {
    summary: 'A transcription was deleted, and its files with it.',
    data: { revision: 3, ...ofTranscription, ...inState('deleted') },
  },
  'transcription.speakers.changed': {
    summary: 'A speaker of a ready transcript was corrected, and its files were written again.',
    data: { revision: 3, ...ofTranscription, ...inState('ready') },
  },
  'room.session.started': {
    summary: 'A session has begun. With a higher revision than that of its end: it goes on after all.',
    data: { revision: 1, roomSessionId: totals.roomSessionId, roomName: totals.roomName, startedAt: totals.startedAt },
  },
  'room.session.ended': {
    summary:
      'A session has ended, and no more events of it come. With a higher revision: late events have changed its totals.',
    data: { revision: 2, ...totals, endedAt: endedAt ?? createdAt },
  },
  'recording.received': {
    summary: 'The first track of a recording was reported, or the recording is finished.',
    data: {
      ...{ revision: 1, recordingId, roomName, roomSessionId, state: 'finished' },
      ...{ startDate: readyTranscription.startDate, endDate: readyTranscription.endDate },
    },
  },
  'recording.refused': {
    summary: 'An event about a recording was refused. `GET /v1/events/refused` tells why.',
    data: {
      ...{ revision: 1, recordingId, roomSessionId },
      ...{ eventId: '5d9f1c7e-2b8a-4e60-9f57-6f4c1f3c7a11', state: 'refused' },
    },
  },
  'webhook.disabled': {
    summary: 'The service has disabled a webhook, because for days no delivery to it succeeded.',
    data: { revision: 1, webhookId: '01936f2e-7c1a-7b3e-9d52-3f0a6b8c4d5e', state: 'disabled' },
  },
};

/** The notice of an example. */
export function exampleNotice<Type extends NoticeType>(ofType: Type): NoticeOf<Type> {
  const { data } = noticeTexts[ofType];
  return { id, apiVersion: noticeVersion, createdAt, type: ofType, data } as unknown as NoticeOf<Type>;
}

/** The texts of the fields that all notices have. */
export const noticeFields: Readonly<Record<keyof Notice, string>> = {
  id: 'Identifier of the notice, the same in each repetition. Tell by it which notices you know.',
  apiVersion: 'Version of the format.',
  createdAt: 'When the notice was made.',
  type: 'What has happened.',
  data: 'Whom it is about, and its new state: ids and figures, and neither text nor names of people.',
};

const dataFields: Readonly<Record<string, string>> = {
  revision:
    'Counts the notices about the same subject. Of two of them, the one with the higher revision is the later one.',
  transcriptionId: 'Identifier of the transcription.',
  recordingId: 'Identifier of the recording. `null` for a live transcription, and if it could not be read.',
  roomName: 'Name of the room.',
  roomSessionId: 'Identifier of the room session. `null` if it could not be read.',
  type: 'Whether the transcription is of a recording or of a live session.',
  state: 'The state after the change.',
  status: 'The same as `state`, under the name that the webhooks of Whereby have.',
  storageType: 'Whether the service stores the file, or your own bucket.',
  durationInSeconds: 'Length of what was transcribed.',
  failureCode: 'Why it failed: a code of a `Failure`.',
  startedAt: 'When the session started.',
  endedAt: 'When the session ended.',
  totalParticipantMinutes: 'Minutes of all participants, as in the insights.',
  totalRecorderMinutes: 'Minutes of recorders, as in the insights.',
  totalStreamerMinutes: 'Minutes of streamers, as in the insights.',
  totalUniqueParticipants: 'Number of different people who took part.',
  totalUniqueRecorders: 'Number of different recorders.',
  totalUniqueStreamers: 'Number of different streamers.',
  rating: 'Average of all ratings; `null` if nobody rated.',
  totalRatings: 'Number of ratings.',
  spokenSeconds: 'Seconds in which somebody spoke, as in the insights; `null` if nothing tells.',
  spokenSource: 'How that is known.',
  completeness: 'Whether the figures rest on the word of the platform alone, and what it did not tell.',
  asOf: 'Time of the latest event that the figures include.',
  startDate: 'When the recording starts. `null` while it is not known.',
  endDate: 'When the recording ends. `null` while it is not known.',
  eventId: 'Identifier of the refused event; `null` if it could not be read.',
  webhookId: 'Identifier of the webhook.',
};

const nameOf = (ofType: NoticeType) =>
  ofType
    .split('.')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The schemas of all notices: that of each type, that of its data, and that of any of them. */
export const noticeResponses: Readonly<Record<string, DescribedSchema>> = {
  ...Object.fromEntries(
    schema.def.options.flatMap((option) => {
      const ofType = option.shape.type.def.values[0] as NoticeType;
      const { summary, data } = noticeTexts[ofType];
      const fields = Object.fromEntries(Object.keys(data).map((name) => [name, textOf(name)]));
      return [
        [
          `${nameOf(ofType)}Notice`,
          { schema: option, description: summary, fields: noticeFields, example: exampleNotice(ofType) },
        ],
        [`${nameOf(ofType)}Data`, { schema: noticeData[ofType], description: summary, fields, example: data }],
      ];
    }),
  ),
  Notice: {
    schema,
    description: 'Something that has happened: the body of a webhook, and an element of the list of notices.',
    fields: {},
    example: {},
  },
};

function textOf(name: string): string {
  const text = dataFields[name];
  if (text === undefined) throw new Error(`The field ${name} of a notice has no text.`);
  return text;
}

/** The keyword by which a generated client tells the types of notices apart. */
export function noticeDiscriminator(addressOfName: (name: string) => string): JsonSchema {
  const mapping = Object.fromEntries(noticeTypes.map((each) => [each, addressOfName(`${nameOf(each)}Notice`)]));
  return { propertyName: 'type', mapping };
}
