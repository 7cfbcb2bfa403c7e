import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { OrganizationId } from '../../contracts/organization.ts';
import type { IdleStore } from '../../use-cases/ports.ts';
import { dueItems } from '../due-index.ts';
import { partsOfOrganizationRoom } from '../keys.ts';
import { sessionKey } from './keys.ts';

const DueRow = z.object({ organizationRoom: z.string(), roomSessionId: z.string() });

/** The open sessions of all organizations by the hour from which they are closed. Only close-idle-sessions may query them. */
export function idleSessions(documents: DynamoDBDocumentClient, tableName: string): IdleStore {
  return {
    async *listDue(now) {
      for await (const item of dueItems(documents, tableName, now)) {
        const { organizationRoom, roomSessionId } = DueRow.parse(item);
        const [organizationId, roomName] = partsOfOrganizationRoom(organizationRoom);
        yield { organizationId: OrganizationId.parse(organizationId), roomName, roomSessionId };
      }
    },

    async postpone(session, idleFrom) {
      const update = new UpdateCommand({
        TableName: tableName,
        Key: sessionKey(session),
        UpdateExpression: 'SET dueAt = :dueAt',
        ConditionExpression: 'version = :version AND attribute_exists(dueAt)',
        ExpressionAttributeValues: { ':version': session.version, ':dueAt': idleFrom },
      });
      await documents.send(update).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
  };
}
