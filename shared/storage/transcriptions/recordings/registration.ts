import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { maxTracks } from '#shared/domain/transcriptions/recording.ts';
import { recordingNotice } from '#shared/domain/transcriptions/recording-notices.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { isLostRace } from '#shared/storage/common/lost-race.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import type {
  FileClaim,
  RecordingRegistration,
  Registered,
  TrackReport,
} from '#shared/use-cases/transcriptions/recording-ports.ts';
import { recordingFileKey } from '../keys.ts';
import {
  claimOfFile,
  countTrack,
  putTrack,
  type RegistrationTables as Tables,
  type ToldRecording,
  type TrackChange,
  updateOfRecording,
  type Write,
} from './registration-writes.ts';

const Stored = z.object({ finishedAt: z.optional(z.string()), revision: z.optional(z.int()) });
/** Outcome of a transaction. If a condition is not met: the first write with such a condition, and the item that did not meet it. */
type Outcome = 'committed' | 'lost-race' | { readonly refusedWrite: number; readonly stored: Record<string, unknown> };

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html */
const maxWrites = 100;

/**
 * Stores a recording unless a later report of it is stored, with its notice, and its organization as the owner of its files unless another
 * one owns one. An older report claims its files, too: an erasure finds files by their owners.
 */
export function recordingRegistration(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: Tables,
  { now = () => new Date() }: { readonly now?: (() => Date) | undefined } = {},
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

  const finished = (recording: Registered, asRead: ToldRecording): Write[] => {
    const revision = (asRead.revision ?? 0) + 1;
    const notice = recordingNotice('finished', recording, revision, now());
    return [updateOfRecording(tables, { ...recording, revision }, asRead), noticePut(tables.notices, notice)];
  };

  /** Counts a track. The first one that is reported alone shows the recording, and is told. */
  const storeAndCount = async (put: Write, report: TrackReport, change: TrackChange): Promise<Outcome> => {
    const { organizationId, recordingId, room } = report;
    const counted = await commit([put, countTrack(tables, report, change, room ? 'shown' : 'any')]);
    if (!room || typeof counted === 'string' || counted.refusedWrite === 0 || isShown(counted.stored)) return counted;
    const notice = recordingNotice('open', { organizationId, recordingId, ...room }, 1, now());
    return commit([put, countTrack(tables, report, change, 'hidden'), noticePut(tables.notices, notice)]);
  };

  return {
    async register(recording) {
      const claims = recording.location ? [claimOfFile(tables, claimOf(recording), recording.location)] : [];
      const outcome = await commit([...claims, ...finished(recording, {})]);
      if (outcome === 'committed') return 'registered';
      if (outcome === 'lost-race') return outcome;
      if (outcome.refusedWrite < claims.length) return 'foreign-file';
      const stored = Stored.parse(outcome.stored);
      const isOutdated = stored.finishedAt !== undefined && stored.finishedAt > recording.finishedAt;
      const isTold = isOutdated || isSame(recording, outcome.stored);
      const again = isTold ? claims : [...claims, ...finished(recording, stored)];
      const repeated = again.length > 0 ? await commit(again) : 'committed';
      if (repeated === 'lost-race') return repeated;
      if (repeated === 'committed') return isOutdated ? 'outdated' : 'registered';
      return repeated.refusedWrite < claims.length ? 'foreign-file' : 'lost-race';
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
      const isNew = { ConditionExpression: 'attribute_not_exists(trackKey)' };
      const added = await storeAndCount(putTrack(tables, report, isNew), report, 'added');
      if (added === 'committed') return 'stored';
      if (added === 'lost-race') return added;
      if (added.refusedWrite === 1) return isFull(added.stored) ? 'too-many' : 'lost-race';
      const { reportedAt, reportedBy } = added.stored;
      if (`${reportedAt} ${reportedBy}` >= `${report.reportedAt} ${report.reportedBy}`) return 'outdated';
      const isAsRead = {
        ConditionExpression: 'reportedAt = :at AND reportedBy = :by',
        ExpressionAttributeValues: { ':at': reportedAt, ':by': reportedBy },
      };
      const replaced = await storeAndCount(putTrack(tables, report, isAsRead), report, 'replaced');
      return replaced === 'committed' ? 'stored' : 'lost-race';
    },
  };
}

/** True if an event has said of which room the recording is. Until then, it is read as if it did not exist. */
function isShown({ roomName }: Readonly<Record<string, unknown>>): boolean {
  return roomName !== undefined;
}

/** True if a recording has one track more than are transcribed. */
function isFull({ trackCount }: Readonly<Record<string, unknown>>): boolean {
  return typeof trackCount === 'number' && trackCount > maxTracks;
}

/** True if the stored recording is as this report describes it. So the report was stored, and told, before. */
function isSame(recording: Registered, stored: Readonly<Record<string, unknown>>): boolean {
  const facts = { location: undefined, filename: undefined, ...recording };
  return Object.entries(facts).every(([name, value]) => isDeepStrictEqual(stored[name], value));
}

function claimOf({ organizationId, recordingId, finishedAt }: Registered): FileClaim {
  return { organizationId, recordingId, claimedAt: finishedAt };
}
