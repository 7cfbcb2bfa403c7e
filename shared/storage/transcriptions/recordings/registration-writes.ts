import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { FileLocation } from '#shared/contracts/events.ts';
import { maxTracks, type RecordingRecord } from '#shared/domain/transcriptions/recording.ts';
import type { FileClaim, Registered, TrackReport } from '#shared/use-cases/transcriptions/recording-ports.ts';
import { recordingFileKey, recordingKey, recordingTrackKey } from '../keys.ts';

/** A write of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** The names of the tables that a registration writes. */
export type RegistrationTables = {
  readonly [name in 'recordings' | 'recordingFiles' | 'recordingTracks' | 'notices']: string;
};
/** What was told of a recording, as it was read. */
export type ToldRecording = Pick<RecordingRecord, 'finishedAt' | 'revision'>;

/** The claim of a file for the organization of the recording, unless another one owns it. */
export function claimOfFile({ recordingFiles }: RegistrationTables, claim: FileClaim, location: FileLocation): Write {
  return {
    Update: {
      TableName: recordingFiles,
      Key: recordingFileKey(location),
      UpdateExpression: `SET ${Object.keys(claim)
        .map((name) => `${name} = if_not_exists(${name}, :${name})`)
        .join(', ')}`,
      ConditionExpression: 'attribute_not_exists(organizationId) OR organizationId = :organizationId',
      ExpressionAttributeValues: Object.fromEntries(Object.entries(claim).map(([name, value]) => [`:${name}`, value])),
    },
  };
}

/**
 * Stores what an event says of a recording, if what was told of it is still as read. The latest event says everything: what it leaves out
 * is removed.
 */
export function updateOfRecording(
  { recordings }: RegistrationTables,
  { organizationId, recordingId, ...facts }: Registered & { readonly revision: number },
  asRead: ToldRecording,
): Write {
  const { location, filename, ...others } = facts;
  const optional = Object.entries({ location, filename });
  const set = Object.fromEntries([...Object.entries(others), ...optional.filter(([, value]) => value !== undefined)]);
  const removed = optional.filter(([, value]) => value === undefined).map(([name]) => name);
  const setting = `SET ${Object.keys(set)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}`;
  const read = Object.entries({ finishedAt: asRead.finishedAt, revision: asRead.revision });
  const isAsRead = read.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}AsRead`,
  );
  const readValues = read.filter(([, value]) => value !== undefined).map(([name, value]) => [`:${name}AsRead`, value]);
  return {
    Update: {
      TableName: recordings,
      Key: recordingKey(organizationId, recordingId),
      UpdateExpression:
        removed.length > 0 ? `${setting} REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : setting,
      ConditionExpression: isAsRead.join(' AND '),
      ExpressionAttributeNames: Object.fromEntries([...Object.keys(set), ...removed].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
        ...Object.fromEntries(readValues),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** Stores a report of a track on the condition. */
export function putTrack(
  { recordingTracks }: RegistrationTables,
  { room: _, ...track }: TrackReport,
  condition: object,
): Write {
  return {
    Put: {
      TableName: recordingTracks,
      Item: { ...track, ...recordingTrackKey(track.organizationId, track) },
      ...condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/** Whether a report of a track is its first one. */
export type TrackChange = 'added' | 'replaced';
/** Which recordings a track is counted in: those that are shown already, those that are not, or both. */
export type CountedIn = 'shown' | 'hidden' | 'any';

const showing = {
  shown: ['attribute_exists(roomName)'],
  hidden: ['attribute_not_exists(roomName)'],
  any: [],
} as const satisfies Record<CountedIn, readonly string[]>;

/**
 * Counts a track in its recording. One track more than a transcription takes is stored, so that the transcription fails instead of
 * lacking one. A recording that it shows has the first revision.
 */
export function countTrack(
  { recordings }: RegistrationTables,
  { organizationId, recordingId, room }: TrackReport,
  change: TrackChange,
  countedIn: CountedIn,
): Write {
  const facts = countedIn === 'hidden' ? { ...room, revision: 1 } : {};
  const setting = Object.keys(facts)
    .map((name) => `${name} = :${name}`)
    .join(', ');
  const adding = `ADD trackRevision :one${change === 'added' ? ', trackCount :one' : ''}`;
  const conditions = [
    ...showing[countedIn],
    ...(change === 'added' ? ['(attribute_not_exists(trackCount) OR trackCount <= :most)'] : []),
  ];
  return {
    Update: {
      TableName: recordings,
      Key: recordingKey(organizationId, recordingId),
      UpdateExpression: setting === '' ? adding : `SET ${setting} ${adding}`,
      ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
      ExpressionAttributeValues: {
        ':one': 1,
        ...(change === 'added' && { ':most': maxTracks }),
        ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [`:${name}`, value])),
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
