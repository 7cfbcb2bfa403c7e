import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { isSessionEvent } from '#shared/contracts/insights/session-events.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { organizationSession } from '#shared/storage/insights/keys.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import type { Tables } from '#shared/storage/insights/session-writes.ts';
import { dynamodb } from '../../../support/machine.ts';
import type { StoredSession } from '../log-invariants.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

/** Reads everything that the tables contain of the sessions with one id. */
export async function storedSession(tables: Tables, session: SessionId): Promise<StoredSession> {
  const facts = insightFacts(documents, tables.insightFacts);
  const [blocks, { Items: items = [] }] = await Promise.all([
    facts.readBlocks(session, 0),
    documents.send(
      new QueryCommand({
        TableName: tables.participants,
        KeyConditionExpression: 'organizationSession = :session',
        ExpressionAttributeValues: { ':session': organizationSession(session) },
        ConsistentRead: true,
      }),
    ),
  ]);
  const events = blocks.flatMap((block) => block.facts).filter(isSessionEvent);
  const roomNames = [...new Set(events.map(({ data }) => data.roomName))];
  return {
    session,
    blocks,
    items,
    rows: await sessionInsights(documents, tables, facts).readSessions(session, roomNames),
  };
}
