import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { showsOthers, type TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import {
  isReady,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import { toldAfter, transcriptionNotice } from '#shared/domain/transcriptions/transcription-notices.ts';
import { isLostRace } from '#shared/storage/common/lost-race.ts';
import { isConflict } from '#shared/storage/common/past-conflicts.ts';
import { unlessRefused } from '#shared/storage/common/unless-refused.ts';
import { noticePut } from '#shared/storage/notices/notice-put.ts';
import type { SpeakerChanges } from '#shared/use-cases/transcriptions/speakers/ports.ts';
import { transcriptionKey } from '../keys.ts';
import { placeOfSpeakers, type SpeakerTables } from './speakers.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Tables = SpeakerTables & { readonly notices: string };

/**
 * Implements `SpeakerChanges` with DynamoDB. The revision is in the transcription's row, because the row of the speakers is removed before
 * the transcription, whose deletion needs the next one.
 */
export function speakerChanges(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: Tables,
  { now = () => new Date() }: { readonly now?: (() => Date) | undefined } = {},
): SpeakerChanges {
  const told = (record: TranscriptionRecord): Write[] => {
    const next = toldAfter(record, record);
    return [
      { Update: revisionUpdate(tables.transcriptions, record, next.revision) },
      noticePut(tables.notices, transcriptionNotice('speakersChanged', next, now())),
    ];
  };

  return {
    async change(key, { row, transcription }, to) {
      const after = { speakers: to.speakers ?? row.speakers, corrections: to.corrections ?? row.corrections };
      const update = speakersUpdate(tables, key, row, after);
      if (!showsOthers(row, after)) return unlessConflict(() => documents.send(new UpdateCommand(update)));
      const others = isReady(transcription)
        ? told(transcription as TranscriptionRecord)
        : [notReady(tables.transcriptions, key)];
      const transaction = new TransactWriteCommand({ TransactItems: [{ Update: update }, ...others] });
      try {
        await documents.send(transaction);
        return true;
      } catch (error) {
        if (isLostRace(error)) return false;
        throw error;
      }
    },
  };
}

function speakersUpdate(
  tables: SpeakerTables,
  key: TranscriptionKey,
  { revision, isApart }: TranscriptSpeakers,
  { speakers, corrections }: Pick<TranscriptSpeakers, 'speakers' | 'corrections'>,
) {
  return {
    ...placeOfSpeakers(tables, key, { isApart }),
    UpdateExpression: 'SET speakers = :speakers, corrections = :corrections, revision = :next',
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: {
      ...{ ':speakers': speakers, ':corrections': corrections },
      ...{ ':next': revision + 1, ':read': revision },
    },
  };
}

function revisionUpdate(TableName: string, record: TranscriptionRecord, next: number) {
  const { organizationId, transcriptionId, revision: asRead } = record;
  return {
    TableName,
    Key: transcriptionKey(organizationId, transcriptionId),
    UpdateExpression: 'SET revision = :next',
    ConditionExpression: `#state = :ready AND ${asRead === undefined ? 'attribute_not_exists(revision)' : 'revision = :asRead'}`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ...{ ':next': next, ':ready': 'ready' },
      ...(asRead !== undefined && { ':asRead': asRead }),
    },
  };
}

/** Nobody was told yet who speaks, so nobody is told of a change. */
function notReady(TableName: string, { organizationId, transcriptionId }: TranscriptionKey): Write {
  return {
    ConditionCheck: {
      TableName,
      Key: transcriptionKey(organizationId, transcriptionId),
      ConditionExpression: 'attribute_not_exists(#state) OR #state <> :ready',
      ExpressionAttributeNames: { '#state': 'state' },
      ExpressionAttributeValues: { ':ready': 'ready' },
    },
  };
}

async function unlessConflict(write: () => Promise<unknown>): Promise<boolean> {
  try {
    return await unlessRefused(write);
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
