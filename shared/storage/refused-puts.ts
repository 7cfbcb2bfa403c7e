import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationNotice } from '../domain/notice.ts';
import { attributeNames } from '../names.ts';
import { retry, tryAgain } from '../retry.ts';
import { isLostRace } from './lost-race.ts';
import { noticePut } from './notice-put.ts';
import { conflictRetries } from './past-conflicts.ts';
import { unlessRefused } from './unless-refused.ts';

/** Stores a refused event with its notice, if there is one. Returns false if the event is stored already. */
export function putRefused(
  documents: Pick<DynamoDBDocumentClient, 'send'>,
  tables: { readonly refusedEvents: string; readonly notices: string },
  Item: Record<string, unknown>,
  notice: OrganizationNotice | undefined,
): Promise<boolean> {
  const put = {
    TableName: tables.refusedEvents,
    Item,
    ConditionExpression: `attribute_not_exists(${attributeNames.receivedKey})`,
  };
  if (!notice) return unlessRefused(() => documents.send(new PutCommand(put)));
  const TransactItems = [{ Put: put }, noticePut(tables.notices, notice)];
  const attempt = async () => {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems }));
      return true;
    } catch (error) {
      if (!isLostRace(error)) throw error;
      return error.CancellationReasons?.[0]?.Code === 'ConditionalCheckFailed' ? false : tryAgain;
    }
  };
  return retry<boolean>(attempt, conflictRetries);
}
