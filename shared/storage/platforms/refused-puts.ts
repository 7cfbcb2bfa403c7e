import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import { isLostRace } from '../common/lost-race.ts';
import { conflictRetries } from '../common/past-conflicts.ts';
import { unlessRefused } from '../common/unless-refused.ts';
import { noticePut } from '../notices/notice-put.ts';

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
