import { DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { toNotice } from '#shared/storage/notices/notices.ts';
import { dynamodb } from '../machine.ts';

const client = DynamoDBDocumentClient.from(dynamodb);

/** All notices of a table, each with the shape that its contract promises. */
export async function storedNotices(TableName: string): Promise<OrganizationNotice[]> {
  const notices: OrganizationNotice[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
    notices.push(...Items.map(toNotice));
  return notices;
}

/** The notices of an organization, in the order of their subjects' revisions. */
export async function noticesOf(TableName: string, organizationId: string): Promise<OrganizationNotice[]> {
  const notices: OrganizationNotice[] = [];
  const query = {
    ...{ TableName, ConsistentRead: true, KeyConditionExpression: 'organizationId = :id' },
    ExpressionAttributeValues: { ':id': organizationId },
  };
  for await (const { Items = [] } of paginateQuery({ client }, query)) notices.push(...Items.map(toNotice));
  return notices.toSorted((one, other) => one.data.revision - other.data.revision);
}
