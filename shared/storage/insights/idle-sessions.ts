import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '../../contracts/organization.ts';
import { indexNames } from '../../names.ts';
import type { IdleStore } from '../../use-cases/ports.ts';
import { dueShards, partsOfOrganizationRoom } from '../keys.ts';
import { sessionKey } from './keys.ts';

const DueRow = z.object({ organizationRoom: z.string(), roomSessionId: z.string() });

/** The open sessions of all organizations by the hour from which they are closed. Only close-idle-sessions may query them. */
export function idleSessions(documents: DynamoDBDocumentClient, tableName: string): IdleStore {
  return {
    /** The keys of all sessions that are due at `now`, shard by shard. The index lags behind the table, so the caller reads each row. */
    async *listDue(now) {
      const first = Math.floor(Math.random() * dueShards.length); // so that no shard is always last
      for (const shard of [...dueShards.slice(first), ...dueShards.slice(0, first)]) {
        const pages = paginateQuery(
          { client: documents, pageSize: 100 },
          {
            TableName: tableName,
            IndexName: indexNames.byDueAt,
            KeyConditionExpression: 'dueShard = :shard AND dueAt <= :now',
            ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
          },
        );
        for await (const { Items = [] } of pages)
          for (const item of Items) {
            const { organizationRoom, roomSessionId } = DueRow.parse(item);
            const [organizationId, roomName] = partsOfOrganizationRoom(organizationRoom);
            yield { organizationId: OrganizationId.parse(organizationId), roomName, roomSessionId };
          }
      }
    },

    /** Removes the hour of a session. Does nothing if the session has changed since it was read. */
    async settle(session) {
      const update = new UpdateCommand({
        TableName: tableName,
        Key: sessionKey(session),
        UpdateExpression: 'REMOVE dueAt, dueShard',
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': session.version },
      });
      await documents.send(update).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
  };
}
