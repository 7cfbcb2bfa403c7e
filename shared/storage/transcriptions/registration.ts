import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { chunk } from '../../chunk.ts';
import type { FileLocation } from '../../contracts/events.ts';
import { maxTracks } from '../../domain/recording.ts';
import type { FileClaim, RecordingRegistration, Registered, TrackReport } from '../../use-cases/recording-ports.ts';
import { isLostRace } from '../lost-race.ts';
import { recordingFileKey, recordingKey, recordingTrackKey } from './keys.ts';

type Tables = { readonly recordings: string; readonly recordingFiles: string; readonly recordingTracks: string };
type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
/** Outcome of a transaction. If a condition is not met: the first write with such a condition, and the item that did not meet it. */
type Outcome = 'committed' | 'lost-race' | { readonly refusedWrite: number; readonly stored: Record<string, unknown> };

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const maxWrites = 100;

/**
 * Stores a recording unless a later report of it is stored, and its organization as the owner of its files unless another one owns
 * one. An older report claims its files, too: an erasure finds files by their owners.
 */
export function recordingRegistration(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: Tables,
): RecordingRegistration {
  async function commit(writes: readonly Write[]): Promise<Outcome> {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [...writes] }));
      return 'committed';
    } catch (error) {
      if (!isLostRace(error)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const refusedWrite = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed');
      return refusedWrite < 0 ? 'lost-race' : { refusedWrite, stored: unmarshall(reasons[refusedWrite]?.Item ?? {}) };
    }
  }

  return {
    async register(recording) {
      const claims = recording.location ? [claimOfFile(tables, claimOf(recording), recording.location)] : [];
      const outcome = await commit([...claims, updateOfRecording(tables, recording)]);
      if (outcome === 'committed') return 'registered';
      if (outcome === 'lost-race') return outcome;
      if (outcome.refusedWrite < claims.length) return 'foreign-file';
      const claimed = claims.length > 0 ? await commit(claims) : 'committed';
      if (claimed === 'lost-race') return claimed;
      return claimed === 'committed' ? 'outdated' : 'foreign-file';
    },

    async claimFiles(claim, locations) {
      const files = new Map(locations.map((location) => [JSON.stringify(recordingFileKey(location)), location]));
      for (const some of chunk([...files.values()], maxWrites)) {
        const outcome = await commit(some.map((location) => claimOfFile(tables, claim, location)));
        if (outcome === 'lost-race') return outcome;
        const foreignFile = outcome === 'committed' ? undefined : some[outcome.refusedWrite];
        if (foreignFile) return { foreignFile };
      }
      return 'claimed';
    },

    async storeTrack(report) {
      const added = await commit([
        putTrack(tables, report, { ConditionExpression: 'attribute_not_exists(trackKey)' }),
        countTrack(tables, report, 'added'),
      ]);
      if (added === 'committed') return 'stored';
      if (added === 'lost-race') return added;
      if (added.refusedWrite === 1) return 'too-many';
      const { reportedAt, reportedBy } = added.stored;
      if (`${reportedAt} ${reportedBy}` >= `${report.reportedAt} ${report.reportedBy}`) return 'outdated';
      const replaced = await commit([
        putTrack(tables, report, {
          ConditionExpression: 'reportedAt = :at AND reportedBy = :by',
          ExpressionAttributeValues: { ':at': reportedAt, ':by': reportedBy },
        }),
        countTrack(tables, report, 'replaced'),
      ]);
      return replaced === 'committed' ? 'stored' : 'lost-race';
    },
  };
}

function claimOf({ organizationId, recordingId, finishedAt }: Registered): FileClaim {
  return { organizationId, recordingId, claimedAt: finishedAt };
}

function claimOfFile({ recordingFiles }: Tables, claim: FileClaim, location: FileLocation): Write {
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

/** The latest event says everything: what it leaves out is removed. */
function updateOfRecording({ recordings }: Tables, { organizationId, recordingId, ...facts }: Registered): Write {
  const { location, filename, ...others } = facts;
  const optional = Object.entries({ location, filename });
  const set = Object.fromEntries([...Object.entries(others), ...optional.filter(([, value]) => value !== undefined)]);
  const removed = optional.filter(([, value]) => value === undefined).map(([name]) => name);
  const setting = `SET ${Object.keys(set)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}`;
  return {
    Update: {
      TableName: recordings,
      Key: recordingKey(organizationId, recordingId),
      UpdateExpression:
        removed.length > 0 ? `${setting} REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : setting,
      ConditionExpression: 'attribute_not_exists(#finishedAt) OR #finishedAt <= :finishedAt',
      ExpressionAttributeNames: Object.fromEntries([...Object.keys(set), ...removed].map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
    },
  };
}

function putTrack({ recordingTracks }: Tables, { room: _, ...track }: TrackReport, condition: object): Write {
  return {
    Put: {
      TableName: recordingTracks,
      Item: { ...track, ...recordingTrackKey(track.organizationId, track) },
      ...condition,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}

/**
 * Counts a track in its recording. One track more than a transcription takes is stored, so that the transcription fails instead of
 * lacking one.
 */
function countTrack({ recordings }: Tables, report: TrackReport, change: 'added' | 'replaced'): Write {
  const { organizationId, recordingId, room } = report;
  const rooms = Object.entries(room ?? {});
  const setting = rooms.map(([name]) => `${name} = if_not_exists(${name}, :${name})`).join(', ');
  const adding = `ADD trackRevision :one${change === 'added' ? ', trackCount :one' : ''}`;
  return {
    Update: {
      TableName: recordings,
      Key: recordingKey(organizationId, recordingId),
      UpdateExpression: setting === '' ? adding : `SET ${setting} ${adding}`,
      ...(change === 'added' && { ConditionExpression: 'attribute_not_exists(trackCount) OR trackCount <= :most' }),
      ExpressionAttributeValues: {
        ':one': 1,
        ...(change === 'added' && { ':most': maxTracks }),
        ...Object.fromEntries(rooms.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
}
