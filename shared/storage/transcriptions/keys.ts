import { createHash } from 'node:crypto';
import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { type TranscriptionFilter, transcriptionFilters } from '#shared/contracts/transcriptions/transcription.ts';
import type { PartKey, WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { RecordingTrack } from '#shared/domain/transcriptions/recording.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { type KeyRange, organizationPart, separator, sortKey } from '../common/keys.ts';

/** Key of a recording. */
export function recordingKey(organizationId: OrganizationId, recordingId: string) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.recordingId]: recordingId };
}

/** Key of the row in the recordings table with an organization's defaults of options. No recording has this id: theirs are UUIDs. */
export function optionDefaultsKey(organizationId: OrganizationId) {
  return recordingKey(organizationId, 'option-defaults');
}

type TrackIdentity = Pick<RecordingTrack, 'recordingId' | 'participantId' | 'startDate' | 'source'>;

/** Key of a track. The tracks of a recording follow each other, in the order of participant, start and source. */
export function recordingTrackKey(
  organizationId: OrganizationId,
  { recordingId, participantId, startDate, source }: TrackIdentity,
) {
  const trackKey = [recordingId, participantId, startDate, source].join(separator);
  return { [attributeNames.organizationId]: organizationId, [attributeNames.trackKey]: trackKey };
}

/** What the sort keys of all tracks of a recording begin with. */
export function trackPrefix(recordingId: string): string {
  return `${recordingId}${separator}`;
}

const fileScheme = 's3://';

/**
 * Key of a recording's file. It does not name the organization, so that a file has one owner. The text is an opaque name: a
 * bucket's name contains no slash, so two files never make one key.
 */
export function recordingFileKey({ bucket, key }: FileLocation) {
  return { [attributeNames.fileLocation]: `${fileScheme}${bucket}/${key}` };
}

/** The file that such a key names. */
export function fileAt(fileLocation: string): FileLocation {
  const [bucket = '', ...segments] = fileLocation.slice(fileScheme.length).split('/');
  return { bucket, key: segments.join('/') };
}

/** Key of a transcription, or of its tombstone. */
export function transcriptionKey(organizationId: OrganizationId, transcriptionId: string) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.transcriptionId]: transcriptionId };
}

/**
 * Key of who speaks in a transcription. It follows the key of the transcription, so that one query reads both. No transcription has such an
 * id: theirs are UUIDs.
 */
export function speakersKey(organizationId: OrganizationId, transcriptionId: string) {
  return transcriptionKey(organizationId, `${transcriptionId}#speakers`);
}

/** The digits of a part's number in its key, so that the keys of a work's parts sort as their numbers do. */
const partDigits = 6;

/** Key of a part of a work. */
export function partKey({ part, ...key }: PartKey) {
  return keyOfWork(key, String(part).padStart(partDigits, '0'));
}

/** Key of the head of a work that has parts. It sorts after the parts. */
export function workHeadKey(key: WorkKey) {
  return keyOfWork(key, 'plan');
}

/** Key of the turn in which a work is prepared. It sorts after the head. */
export function workTurnKey(key: WorkKey) {
  return keyOfWork(key, 'turn');
}

/** The sort keys of a work's parts, and those of all of its rows. */
export function workRanges(key: WorkKey): { readonly parts: KeyRange; readonly all: KeyRange } {
  const first = partKey({ ...key, part: 0 }).partKey;
  return {
    parts: [first, partKey({ ...key, part: 10 ** partDigits - 1 }).partKey],
    all: [first, workTurnKey(key).partKey],
  };
}

function keyOfWork({ organizationId, workId }: WorkKey, row: string) {
  return { [attributeNames.organizationId]: organizationId, [attributeNames.partKey]: `${workId}#${row}` };
}

/** Key of a link. It is a hash of the token, so nobody who reads the table can use a link. */
export function linkKey(token: string) {
  return { [attributeNames.tokenHash]: linkTokenHash(token) };
}

/** The SHA-256 of a link's token. A token has 256 random bits, so it needs no salt and no slow hash. */
export function linkTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

const filterAttributes: Record<TranscriptionFilter, string> = {
  roomName: attributeNames.organizationRoom,
  state: attributeNames.organizationState,
  type: attributeNames.organizationType,
  roomSessionId: attributeNames.organizationSession,
  recordingId: attributeNames.organizationRecording,
};

/** The index partition of one value of a filter. Each filter has its own attribute, so values of two filters never collide. */
export function filterPartition(
  organizationId: OrganizationId,
  [filter, value]: readonly [TranscriptionFilter, string],
): readonly [name: string, value: string] {
  return [filterAttributes[filter], organizationPart(organizationId, value)];
}

/**
 * The attributes that the list indexes partition and sort a transcription by. Every sort key ends with start date and id,
 * so no two are equal and ties are in the order of their start.
 */
export function listAttributes(record: TranscriptionRecord): Record<string, string> {
  const { organizationId, transcriptionId, startDate, roomName, durationInSeconds } = record;
  const tieBreak = [startDate, transcriptionId];
  const partitions = transcriptionFilters.flatMap((filter) => {
    const value = record[filter];
    return value === undefined ? [] : [filterPartition(organizationId, [filter, value])];
  });
  return {
    ...Object.fromEntries(partitions),
    [attributeNames.startDateSort]: sortKey(startDate, [transcriptionId]),
    [attributeNames.roomNameSort]: sortKey(roomName, tieBreak),
    [attributeNames.durationInSecondsSort]: sortKey(durationInSeconds, tieBreak),
  };
}
