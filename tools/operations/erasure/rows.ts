import { setTimeout } from 'node:timers/promises';
import { ConditionalCheckFailedException, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type BatchWriteCommandOutput,
  DeleteCommand,
  paginateQuery,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { entityTables } from '../../../infra/tables.ts';
import type { TableName } from '../../../shared/names.ts';
import type { KeyRange } from '../../../shared/storage/keys.ts';
import { UserError } from '../../shared/user-error.ts';
import type { Place } from './place.ts';

/** A row, or the part of it that was asked for. */
export type Row = Readonly<Record<string, unknown>>;

/** BatchWriteItem takes 25 requests. */
const maxWrites = 25;
const maxAttempts = 12;
const maxPauseMs = 5_000;

/** The attributes that make up the key of a table's rows. */
function keyNames(table: TableName): readonly [partition: string, sort: string] {
  return [entityTables[table].partitionKey, entityTables[table].sortKey];
}

/** The rows of one partition as they are now, a page at a time: their keys and some other attributes. */
export async function* rowsIn(
  { documents, tables }: Place,
  table: TableName,
  partition: string,
  attributes: readonly string[] = [],
): AsyncGenerator<Row[]> {
  const [partitionKey, sortKey] = keyNames(table);
  const { names, expression } = projection([partitionKey, sortKey, ...attributes]);
  const pages = paginateQuery(
    { client: documents },
    {
      TableName: tables[table],
      KeyConditionExpression: '#0 = :partition',
      ProjectionExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':partition': partition },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}

/** The whole rows of a partition between two sort keys, as they are now, a page at a time. */
export async function* rowsBetween(
  { documents, tables }: Place,
  table: TableName,
  partition: string,
  [first, last]: KeyRange,
): AsyncGenerator<Row[]> {
  const [partitionKey, sortKey] = keyNames(table);
  const pages = paginateQuery(
    { client: documents },
    {
      TableName: tables[table],
      KeyConditionExpression: '#0 = :partition AND #1 BETWEEN :first AND :last',
      ExpressionAttributeNames: { '#0': partitionKey, '#1': sortKey },
      ExpressionAttributeValues: { ':partition': partition, ':first': first, ':last': last },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}

/** How many rows a partition has. */
export async function countIn({ documents, tables }: Place, table: TableName, partition: string): Promise<number> {
  let count = 0;
  const pages = paginateQuery(
    { client: documents },
    {
      TableName: tables[table],
      KeyConditionExpression: '#0 = :partition',
      ExpressionAttributeNames: { '#0': keyNames(table)[0] },
      ExpressionAttributeValues: { ':partition': partition },
      Select: 'COUNT',
    },
  );
  for await (const { Count = 0 } of pages) count += Count;
  return count;
}

/**
 * The rows of a whole table whose partitions begin so, a page at a time: for where no key leads to them. `looked` is how
 * many rows there were in the page, wanted or not.
 */
export async function* rowsAnywhere(
  { documents, tables }: Place,
  table: TableName,
  begin: string,
  attributes: readonly string[] = [],
): AsyncGenerator<{ readonly rows: Row[]; readonly looked: number }> {
  const { names, expression } = projection([...keyNames(table), ...attributes]);
  const pages = paginateScan(
    { client: documents },
    {
      TableName: tables[table],
      FilterExpression: 'begins_with(#0, :begin)',
      ProjectionExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':begin': begin },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [], ScannedCount = 0 } of pages) yield { rows: Items, looked: ScannedCount };
}

/** About how many rows a table has: DynamoDB counts them every six hours. */
export async function sizeOf({ documents, tables }: Place, table: TableName): Promise<number> {
  const { Table } = await documents.send(new DescribeTableCommand({ TableName: tables[table] }));
  return Table?.ItemCount ?? 0;
}

/** Removes rows by their keys; what DynamoDB leaves unprocessed is sent again, with longer and longer pauses. */
export async function removeRows({ documents, tables }: Place, table: TableName, rows: readonly Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += maxWrites) {
    const requests = rows.slice(from, from + maxWrites).map((row) => ({ DeleteRequest: { Key: keyOf(table, row) } }));
    let left: BatchWriteCommandInput['RequestItems'] = { [tables[table]]: requests };
    for (let attempt = 0; left && Object.keys(left).length > 0; attempt += 1) {
      if (attempt === maxAttempts) throw new UserError(`${tables[table]} is too busy: run the command again later.`);
      if (attempt > 0) await setTimeout(Math.random() * Math.min(maxPauseMs, 50 * 2 ** attempt));
      const answer: BatchWriteCommandOutput = await documents.send(new BatchWriteCommand({ RequestItems: left }));
      left = answer.UnprocessedItems;
    }
  }
}

/** Removes a row that leads to others, unless somebody has written it since it was read: then there may be more of them. */
export async function removeAsRead({ documents, tables }: Place, table: TableName, row: Row): Promise<boolean> {
  const command = new DeleteCommand({
    TableName: tables[table],
    Key: keyOf(table, row),
    ConditionExpression: 'attribute_not_exists(version) OR version = :version',
    ExpressionAttributeValues: { ':version': row.version },
  });
  try {
    await documents.send(command);
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

function keyOf(table: TableName, row: Row): Record<string, unknown> {
  return Object.fromEntries(keyNames(table).map((name) => [name, row[name]]));
}

function projection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((attribute, index) => [`#${index}`, attribute]));
  return { names, expression: Object.keys(names).join(', ') };
}
