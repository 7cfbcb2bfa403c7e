import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SettlingStore } from '../../use-cases/ports.ts';
import { dueItems } from '../due-index.ts';
import { settleShards } from '../keys.ts';
import { isLostRace } from '../lost-race.ts';
import { noticePut } from '../notice-put.ts';
import { sessionKey } from './keys.ts';
import { toSessionKey } from './rows.ts';
import { ifToldIs, toldText } from './told.ts';

/** The ended sessions of all organizations by the time at which their ends are told. Only settle-sessions may query them. */
export function settlingSessions(
  documents: DynamoDBDocumentClient,
  tables: { readonly roomSessions: string; readonly notices: string },
): SettlingStore {
  return {
    async *listDue(now) {
      for await (const item of dueItems(documents, tables.roomSessions, now, settleShards)) yield toSessionKey(item);
    },

    async tell(session, told, notice) {
      const asRead = ifToldIs(session.told);
      const update = {
        TableName: tables.roomSessions,
        Key: sessionKey(session),
        UpdateExpression: 'SET told = :now REMOVE dueShard, dueAt, settleBy',
        ConditionExpression: `version = :version AND ${asRead.expression}`,
        ExpressionAttributeValues: { ':version': session.version, ':now': toldText(told), ...asRead.values },
      };
      const TransactItems = [{ Update: update }, noticePut(tables.notices, notice)];
      try {
        await documents.send(new TransactWriteCommand({ TransactItems }));
        return true;
      } catch (error) {
        if (!isLostRace(error)) throw error;
        return false;
      }
    },
  };
}
