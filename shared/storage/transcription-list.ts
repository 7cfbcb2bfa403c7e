import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '../contracts/organization.ts';
import type { ListTranscriptions } from '../contracts/transcription.ts';
import type { TranscriptionRecord } from '../domain/transcription.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { listKey } from './keys.ts';
import { toRecord } from './transcription-row.ts';

/** Lists an organization's transcriptions, a page at a time. */
export type TranscriptionLister = (
  organizationId: OrganizationId,
  query: ListTranscriptions,
) => Promise<{ readonly results: readonly TranscriptionRecord[]; readonly cursor: string | null }>;

/**
 * One query of one index, whatever the page and however many there are. A page begins after a position in the order, not
 * after an item, so items that come and go between two pages are neither repeated nor cause others to be left out.
 */
export function transcriptionLister(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tableName: string,
): TranscriptionLister {
  return async (organizationId, { roomName, cursor, limit, sortBy: { field, direction } }) => {
    const list = [field, direction, roomName ?? null];
    const { index, partitionKey, sortKey } = listKey(organizationId, field, roomName);
    const position = cursor === undefined ? undefined : decodeCursor(list, cursor);
    const beyond = direction === 'asc' ? '>' : '<';
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: index,
        KeyConditionExpression: `#partition = :partition${position === undefined ? '' : ` AND #sort ${beyond} :position`}`,
        ExpressionAttributeNames: {
          '#partition': partitionKey[0],
          ...(position !== undefined && { '#sort': sortKey }),
        },
        ExpressionAttributeValues: { ':partition': partitionKey[1], ':position': position },
        ScanIndexForward: direction === 'asc',
        Limit: limit + 1, // one more than asked for tells whether there is a next page
      }),
    );
    const page = Items.slice(0, limit);
    const last = page.at(-1);
    const hasMore = Items.length > limit || LastEvaluatedKey !== undefined;
    return {
      results: page.map(toRecord),
      cursor: hasMore && last ? encodeCursor(list, String(last[sortKey])) : null,
    };
  };
}
