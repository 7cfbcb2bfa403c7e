import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { SessionStore } from '#shared/use-cases/insights/ports.ts';
import { sessionKey } from './keys.ts';
import { toSessionRecord } from './rows.ts';

/** Reads single sessions. */
export function sessionRepository(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string): SessionStore {
  return {
    async find(key) {
      const get = new GetCommand({ TableName: tableName, Key: sessionKey(key), ConsistentRead: true });
      const { Item } = await documents.send(get);
      return Item && toSessionRecord(Item);
    },
  };
}
