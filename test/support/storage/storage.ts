import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamodb, endpoints, s3 } from '../machine.ts';

/** All rows of an organization in the transcriptions table, including tombstones. */
export async function rowsOf(organizationId: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await dynamodb.send(
    new QueryCommand({
      TableName: endpoints.tables.transcriptions,
      KeyConditionExpression: 'organizationId = :organizationId',
      ExpressionAttributeValues: { ':organizationId': { S: organizationId } },
      ConsistentRead: true,
    }),
  );
  return Items.map((item) => unmarshall(item));
}

/** All keys in the transcripts bucket that contain the text. */
export async function transcriptKeysWith(text: string, prefix = ''): Promise<string[]> {
  const { Contents = [], IsTruncated } = await s3.send(
    new ListObjectsV2Command({ Bucket: endpoints.buckets.transcripts, Prefix: prefix }),
  );
  if (IsTruncated) throw new Error('The bucket has too many files for one page. Pass a prefix.');
  return Contents.flatMap(({ Key = '' }) => (Key.includes(text) ? [Key] : []));
}
