import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { isGone, isReady } from '#shared/domain/transcriptions/transcription.ts';
import type { SpokenReader } from '#shared/use-cases/transcriptions/speakers/ports.ts';
import { speakersKey } from '../keys.ts';
import { toStored } from '../row.ts';
import { findApart, type SpeakerTables, toSpeakers } from './speakers.ts';

/** Implements `SpokenReader` with one query of DynamoDB. Only speakers from before they were kept beside their transcription take another read. */
export function spokenReader(documents: Pick<DynamoDBDocumentClient, 'send'>, tables: SpeakerTables): SpokenReader {
  return async (key) => {
    const { organizationId, transcriptionId: first } = key;
    const { transcriptionId: last } = speakersKey(organizationId, first);
    const query = new QueryCommand({
      TableName: tables.transcriptions,
      KeyConditionExpression: 'organizationId = :organizationId AND transcriptionId BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':organizationId': organizationId, ':first': first, ':last': last },
      ConsistentRead: true,
    });
    const { Items = [] } = await documents.send(query);
    const itemOf = (id: string | undefined) => Items.find(({ transcriptionId }) => transcriptionId === id);
    const [item, row] = [itemOf(first), itemOf(last)];
    const stored = item && toStored(item);
    if (row) return { stored, speakers: toSpeakers(row) };
    // Each transcript of a recording has a row of speakers, even if it is empty.
    const hasRow = !isGone(stored) && isReady(stored) && stored.type === 'RECORDING_TRANSCRIPTION';
    return { stored, speakers: hasRow ? await findApart(documents, tables, key) : undefined };
  };
}
