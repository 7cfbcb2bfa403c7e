import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import { noticeOf, type OrganizationNotice } from '../notices/notice.ts';
import type { TranscriptionRecord } from './transcription.ts';
import type { TranscriptionEvent } from './transcription-states.ts';

/** What others are told of a transcription. Its start and the preparation of its parts concern nobody else. */
export type ToldEvent = Exclude<TranscriptionEvent, 'jobStarted' | 'prepared'> | 'speakersChanged';

/** A transcription after a change that others are told of. */
export type ToldRecord = TranscriptionRecord & { readonly revision: number };

const typesOfEvents = {
  created: 'transcription.started',
  liveStarted: 'transcription.started',
  liveFinished: 'transcription.finished',
  liveFailed: 'transcription.failed',
  transcribed: 'transcription.finished',
  failed: 'transcription.failed',
  abandoned: 'transcription.failed',
  deleted: 'transcription.deleted',
  speakersChanged: 'transcription.speakers.changed',
} as const satisfies Record<ToldEvent, NoticeType>;

/** How many changes of a transcription were told. A row from before notices counts its start, and its end. */
export function revisionOf({ revision, state }: Pick<TranscriptionRecord, 'revision' | 'state'>): number {
  return revision ?? (state === 'in_progress' ? 1 : 2);
}

/** The record with the revision that follows that of what is stored. */
export function toldAfter(
  before: Pick<TranscriptionRecord, 'revision' | 'state'> | undefined,
  record: TranscriptionRecord,
): ToldRecord {
  return { ...record, revision: before ? revisionOf(before) + 1 : 1 };
}

/** The notice of an event. `record` is the transcription after the event or, if it was deleted, before it. */
export function transcriptionNotice(event: ToldEvent, record: ToldRecord, now: Date): OrganizationNotice {
  const { organizationId, transcriptionId, recordingId = null, roomName, roomSessionId, type, revision } = record;
  const ofTranscription = { revision, transcriptionId, recordingId, roomName, roomSessionId, type };
  const subject = { kind: 'transcription', id: transcriptionId } as const;
  const told = typesOfEvents[event];
  switch (told) {
    case 'transcription.finished': {
      const { storageType, durationInSeconds } = record;
      const data = { ...ofTranscription, ...inState('ready'), storageType, durationInSeconds };
      return noticeOf(organizationId, told, subject, data, now);
    }
    case 'transcription.failed': {
      const failureCode = record.failure?.code ?? 'engine_error'; // every failed one has a failure
      return noticeOf(organizationId, told, subject, { ...ofTranscription, ...inState('failed'), failureCode }, now);
    }
    case 'transcription.started':
      return noticeOf(organizationId, told, subject, { ...ofTranscription, ...inState('in_progress') }, now);
    case 'transcription.deleted':
      return noticeOf(organizationId, told, subject, { ...ofTranscription, ...inState('deleted') }, now);
    case 'transcription.speakers.changed':
      return noticeOf(organizationId, told, subject, { ...ofTranscription, ...inState('ready') }, now);
  }
}

function inState<const State extends string>(state: State): { readonly state: State; readonly status: State } {
  return { state, status: state };
}
