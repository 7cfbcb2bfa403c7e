import * as z from 'zod/mini';
import { pageOf, queryInteger, Timestamp, UtcTimestamp, Uuid } from './common/fields.ts';
import { isLater } from './common/query-rules.ts';
import { RoomSessionInsight } from './insights/insights.ts';
import { NoticeId, type NoticeType } from './notices/notice-types.ts';
import { noticeVersion } from './notices/notice-version.ts';
import { OrganizationId } from './organization/organization.ts';
import { failureCodes, StorageType, TranscriptionType } from './transcriptions/transcription.ts';

/** Counts the notices of one subject from 1. Of two notices of a subject, the one with the higher revision is the later one. */
const revision = z.int().check(z.positive());

const ofTranscription = {
  revision,
  transcriptionId: Uuid,
  /** Null for a live transcription. */
  recordingId: z.nullable(Uuid),
  roomName: z.string(),
  roomSessionId: Uuid,
  type: TranscriptionType,
};

/** `status` is the name that Whereby's webhooks have for `state`. */
function inState<const State extends string>(state: State) {
  return { state: z.literal(state), status: z.literal(state) };
}

const ofSession = {
  revision,
  roomSessionId: Uuid,
  roomName: z.string(),
  startedAt: UtcTimestamp,
};

const { createdAt: _, endAt: __, ...insightFields } = RoomSessionInsight.shape;

/** The data of each type of notices: ids, states and figures, and neither text nor names of people. */
export const noticeData = {
  'transcription.started': z.object({ ...ofTranscription, ...inState('in_progress') }),
  'transcription.finished': z.object({
    ...ofTranscription,
    ...inState('ready'),
    storageType: StorageType,
    durationInSeconds: z.int(),
  }),
  'transcription.failed': z.object({
    ...ofTranscription,
    ...inState('failed'),
    failureCode: z.enum(failureCodes),
  }),
  'transcription.deleted': z.object({ ...ofTranscription, ...inState('deleted') }),
  'transcription.speakers.changed': z.object({ ...ofTranscription, ...inState('ready') }),
  'room.session.started': z.object(ofSession),
  /** All that insights show of the session, once no more events of it come. */
  'room.session.ended': z.object({ revision, ...insightFields, endedAt: UtcTimestamp }),
  'recording.received': z.object({
    revision,
    recordingId: Uuid,
    roomName: z.string(),
    roomSessionId: Uuid,
    /** `open`: its first track was reported. `finished`: it can be transcribed. */
    state: z.enum(['open', 'finished']),
    startDate: z.nullable(UtcTimestamp),
    endDate: z.nullable(UtcTimestamp),
  }),
  'recording.refused': z.object({
    revision,
    recordingId: z.nullable(Uuid),
    roomSessionId: z.nullable(Uuid),
    /** With it, `GET /v1/events/refused` lists the reasons. */
    eventId: z.nullable(z.string()),
    state: z.literal('refused'),
  }),
  'webhook.disabled': z.object({ revision, webhookId: Uuid, state: z.literal('disabled') }),
} as const satisfies Record<NoticeType, z.ZodMiniType>;

/** The data of a type of notices. */
export type NoticeData<Type extends NoticeType = NoticeType> = z.infer<(typeof noticeData)[Type]>;

const envelope = <Type extends NoticeType>(type: Type) =>
  z.object({
    id: NoticeId,
    apiVersion: z.literal(noticeVersion),
    createdAt: UtcTimestamp,
    type: z.literal(type),
    data: noticeData[type],
  });

/** What the service tells others: the body of a webhook, an element of the list, and most of the detail of an event on the bus. */
export const Notice = z.discriminatedUnion('type', [
  envelope('transcription.started'),
  envelope('transcription.finished'),
  envelope('transcription.failed'),
  envelope('transcription.deleted'),
  envelope('transcription.speakers.changed'),
  envelope('room.session.started'),
  envelope('room.session.ended'),
  envelope('recording.received'),
  envelope('recording.refused'),
  envelope('webhook.disabled'),
]);
export type Notice = z.infer<typeof Notice>;

/** The detail of an event on the deployment's event bus: a notice and the organization that it is of. */
export const NoticeEvent = z.intersection(z.object({ organizationId: OrganizationId }), Notice);
export type NoticeEvent = z.infer<typeof NoticeEvent>;

/** Query of the list of notices, the oldest first. `from` is included, `to` is not. */
export const ListNotices = z
  .strictObject({
    from: z.optional(Timestamp),
    to: z.optional(Timestamp),
    cursor: z.optional(z.string()),
    limit: z._default(queryInteger(1, 100), 50),
  })
  .check(isLater(['to'], ['from']));
export type ListNotices = z.infer<typeof ListNotices>;

/** One page of notices. `cursor` is null on the last page. */
export const NoticePage = pageOf(Notice);
export type NoticePage = z.infer<typeof NoticePage>;
