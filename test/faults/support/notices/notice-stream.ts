import { type AttributeValue, GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { indexNames } from '#shared/runtime/names.ts';
import { dynamodb } from '../../../support/machine.ts';

type Item = Record<string, AttributeValue>;

/** The stream of a world's notices: it has a record of each row that is still due and was not delivered before. */
export class NoticeStream {
  private readonly delivered = new Set<string>();
  private readonly table: string;
  private sequence = 0;

  constructor(table: string) {
    this.table = table;
  }

  /** The records of rows that no earlier batch had. */
  async newRecords(): Promise<DynamoDBRecord[]> {
    const records: DynamoDBRecord[] = [];
    const { Items = [] } = await dynamodb.send(
      new ScanCommand({ TableName: this.table, IndexName: indexNames.byDueAt }),
    );
    for (const { organizationId, noticeKey } of Items as Item[]) {
      const key = `${organizationId?.S}${noticeKey?.S}`;
      if (this.delivered.has(key) || !organizationId || !noticeKey) continue;
      const get = new GetItemCommand({ TableName: this.table, Key: { organizationId, noticeKey } });
      const { Item } = await dynamodb.send(get);
      if (Item) records.push(this.recordOf(Item, key));
    }
    return records;
  }

  /** Does not deliver these records again. */
  done(records: readonly DynamoDBRecord[]): void {
    for (const { eventID } of records) this.delivered.add(String(eventID));
  }

  private recordOf(NewImage: Item, eventID: string): DynamoDBRecord {
    const SequenceNumber = String(++this.sequence).padStart(10, '0');
    return { eventID, eventName: 'INSERT', dynamodb: { NewImage, SequenceNumber } } as unknown as DynamoDBRecord;
  }
}

/** The event that Lambda invokes the worker of a stream with. */
export function streamEvent(Records: readonly DynamoDBRecord[]): DynamoDBStreamEvent {
  return { Records: [...Records] };
}
