import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { countedSeconds } from '#shared/domain/transcriptions/recognized-seconds.ts';
import { isInProgress, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { CountCorrection } from '#shared/use-cases/transcriptions/ports.ts';
import { isLostRace } from '../common/lost-race.ts';
import { countingUpdate, takingOffUpdate } from '../common/window-counts.ts';
import { secondsOfDay } from '../organization/ceilings.ts';
import { transcriptionKey } from './keys.ts';
import { toStored } from './row.ts';

type Tables = { readonly transcriptions: string; readonly rateLimits: string };

/**
 * Corrects what transcriptions count on the day of their creation. A lost answer does no harm: the SDK repeats a transaction under the
 * same token, and a later call finds the stored seconds.
 */
export function countCorrection(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: Tables,
  minutesPerDay: number,
): CountCorrection {
  const countOf = (record: TranscriptionRecord, difference: number) => {
    const ofDay = secondsOfDay(record.organizationId, Math.abs(difference), new Date(record.createdAt));
    const table = { tableName: tables.rateLimits };
    if (difference === 0) return [];
    if (difference < 0) return [{ Update: takingOffUpdate(table, ofDay) }];
    return [{ Update: countingUpdate(table, { ...ofDay, limit: minutesPerDay * 60 }) }];
  };

  const correct = async (
    record: TranscriptionRecord,
    seconds: number,
    difference: number,
  ): ReturnType<CountCorrection['correct']> => {
    const stored = { Update: storedUpdate(tables.transcriptions, record, seconds) };
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [stored, ...countOf(record, difference)] }));
      return 'corrected';
    } catch (error) {
      if (!isLostRace(error)) throw error;
      const [ofRecord, ofCount] = error.CancellationReasons ?? [];
      if (ofRecord?.Code === 'ConditionalCheckFailed') return outcomeOf(ofRecord.Item, seconds);
      if (ofCount?.Code !== 'ConditionalCheckFailed') return 'lost-race';
      // An erasure of the organization has removed the count, or it has expired.
      return difference < 0 ? correct(record, seconds, 0) : 'exceeded';
    }
  };

  return { correct: (record, seconds) => correct(record, seconds, seconds - countedSeconds(record)) };
}

function storedUpdate(TableName: string, record: TranscriptionRecord, seconds: number) {
  const asRead = record.countedSeconds;
  return {
    TableName,
    Key: transcriptionKey(record.organizationId, record.transcriptionId),
    UpdateExpression: 'SET countedSeconds = :seconds',
    ConditionExpression: `#state = :inProgress AND ${asRead === undefined ? 'attribute_not_exists(countedSeconds)' : 'countedSeconds = :asRead'}`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':seconds': seconds,
      ':inProgress': 'in_progress',
      ...(asRead !== undefined && { ':asRead': asRead }),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
}

/** Another run may have corrected it, to the same seconds, or to others if the file was replaced. */
function outcomeOf(item: Parameters<typeof unmarshall>[0] | undefined, seconds: number) {
  const stored = item && toStored(unmarshall(item));
  if (!isInProgress(stored)) return 'ended';
  return stored.countedSeconds === seconds ? 'corrected' : 'lost-race';
}
