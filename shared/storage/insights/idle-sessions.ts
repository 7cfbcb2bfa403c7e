import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { IdleStore } from '#shared/use-cases/insights/ports.ts';
import { dueItems } from '../common/due-index.ts';
import { pastConflicts } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';
import { sessionKey } from './keys.ts';
import { toSessionKey } from './rows.ts';

/** The open sessions of all organizations by the hour from which they are closed. Only close-idle-sessions may query them. */
export function idleSessions(documents: DynamoDBDocumentClient, tableName: string): IdleStore {
  return {
    async *listDue(now) {
      for await (const item of dueItems(documents, tableName, now)) yield toSessionKey(item);
    },

    async postpone(session, idleFrom) {
      const update = new UpdateCommand({
        TableName: tableName,
        Key: sessionKey(session),
        UpdateExpression: 'SET dueAt = :dueAt',
        ConditionExpression: 'version = :version AND attribute_exists(dueAt)',
        ExpressionAttributeValues: { ':version': session.version, ':dueAt': idleFrom },
      });
      await unlessRefused(() => pastConflicts(() => documents.send(update)));
    },
  };
}
