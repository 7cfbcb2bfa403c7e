import type { Refusal } from '#shared/contracts/message-ids.ts';
import { noticeOf, type OrganizationNotice } from '../notices/notice.ts';
import type { RecordingRecord } from './recording.ts';

type Told = Pick<RecordingRecord, 'organizationId' | 'recordingId' | 'roomName' | 'roomSessionId'> &
  Partial<Pick<RecordingRecord, 'startDate' | 'endDate'>>;

/** The notice that a recording was reported: finished, with its dates, or open, with its first track. */
export function recordingNotice(
  state: 'open' | 'finished',
  { organizationId, recordingId, roomName, roomSessionId, startDate, endDate }: Told,
  revision: number,
  now: Date,
): OrganizationNotice {
  const dates = { startDate: startDate ?? null, endDate: endDate ?? null };
  const data = { revision, recordingId, roomName, roomSessionId, state, ...dates };
  return noticeOf(organizationId, 'recording.received', { kind: 'recording', id: recordingId }, data, now);
}

const recordingTypes = new Set<string | undefined>(['recording.finished', 'recording.track.finished']);

/** The notice that an event of a recording was refused. Undefined for other messages. `id` is that of the refused message. */
export function refusalNotice(
  { organizationId, type, recordingId, roomSessionId, eventId }: Refusal,
  id: string,
  now: Date,
): OrganizationNotice | undefined {
  if (!recordingTypes.has(type)) return undefined;
  const ids = { recordingId: recordingId ?? null, roomSessionId: roomSessionId ?? null, eventId: eventId ?? null };
  const data = { revision: 1, ...ids, state: 'refused' } as const;
  return noticeOf(organizationId, 'recording.refused', { kind: 'event', id }, data, now);
}
