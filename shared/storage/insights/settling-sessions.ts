import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { Settled } from '#shared/domain/insights/session/settled-session.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { SettlingStore } from '#shared/use-cases/insights/ports.ts';
import { dueItems } from '../common/due-index.ts';
import { settleShards } from '../common/keys.ts';
import { isLostRace } from '../common/lost-race.ts';
import { conflictRetries } from '../common/past-conflicts.ts';
import { noticePut } from '../notices/notice-put.ts';
import { sessionKey } from './keys.ts';
import { toSessionKey } from './rows.ts';
import { ifToldIs, toldAttributes } from './told.ts';
import { usageUpdate } from './usage-update.ts';

type Tables = { readonly roomSessions: string; readonly notices: string; readonly usageDays: string };

/** The ended sessions of all organizations by the time at which their ends are told. Only settle-sessions may query them. */
export function settlingSessions(documents: DynamoDBDocumentClient, tables: Tables, pause?: Pause): SettlingStore {
  return {
    async *listDue(now) {
      for await (const item of dueItems(documents, tables.roomSessions, now, settleShards)) yield toSessionKey(item);
    },

    settle(session, { notice, told, usage }) {
      let cause: unknown;
      const attempt = async () => {
        const TransactItems = [
          { Update: { TableName: tables.roomSessions, ...updateOf(session, told) } },
          ...(notice ? [noticePut(tables.notices, notice)] : []),
          ...usage.map((change) => usageUpdate(tables.usageDays, change)),
        ];
        try {
          await documents.send(new TransactWriteCommand({ TransactItems }));
          return true;
        } catch (error) {
          if (!isLostRace(error)) throw error;
          cause = error;
          // Sessions of one room that are told at once count in one item of its day.
          const [ofSession] = error.CancellationReasons ?? [];
          return ofSession?.Code === 'ConditionalCheckFailed' ? false : tryAgain;
        }
      };
      return retry<boolean>(attempt, { ...conflictRetries, pause, cause: () => cause });
    },
  };
}

function updateOf(session: SessionRecord, told: Settled['told']) {
  const asRead = ifToldIs(session.told);
  const now = toldAttributes(told);
  const isCounted = now.counted !== undefined;
  return {
    Key: sessionKey(session),
    UpdateExpression: `SET told = :now${isCounted ? ', counted = :countedNow' : ''} REMOVE dueShard, dueAt, settleBy${isCounted ? '' : ', counted'}`,
    ConditionExpression: `version = :version AND ${asRead.expression}`,
    ExpressionAttributeValues: {
      ...{ ':version': session.version, ':now': now.told, ...asRead.values },
      ...(isCounted && { ':countedNow': now.counted }),
    },
  };
}
