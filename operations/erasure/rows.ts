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
import { entityTables } from '#infra/storage/tables.ts';
import type { IndexName, TableName } from '#shared/runtime/names.ts';
import type { KeyRange } from '#shared/storage/common/keys.ts';
import { UserError } from '#tools/shared/user-error.ts';
import type { Deployment } from './deployment.ts';

/** A row, or the requested attributes of one. */
export type Row = Readonly<Record<string, unknown>>;

/** The limit of BatchWriteItem. */
const maxWrites = 25;
const maxAttempts = 12;
const maxPauseMs = 5_000;

/** The key attributes of a table. The sort key is undefined if the table has none. */
function keyNames(table: TableName): readonly [partition: string, sort: string | undefined] {
  return [entityTables[table].partitionKey, entityTables[table].sortKey];
}

function keyAttributes(table: TableName): readonly string[] {
  return keyNames(table).filter((name) => name !== undefined);
}

/** Yields pages of one partition's rows, by consistent reads, with the keys and the given attributes. */
export async function* queryRows(
  { documents, tables }: Deployment,
  table: TableName,
  partition: string,
  attributes: readonly string[] = [],
): AsyncGenerator<Row[]> {
  const { names, expression } = projection([...keyAttributes(table), ...attributes]);
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

/** Yields pages of the keys of the rows in one partition of an index. */
export async function* queryIndex(
  { documents, tables }: Deployment,
  table: TableName,
  index: IndexName,
  [name, value]: readonly [name: string, value: string],
): AsyncGenerator<Row[]> {
  const pages = paginateQuery(
    { client: documents },
    {
      TableName: tables[table],
      IndexName: index,
      KeyConditionExpression: '#0 = :partition',
      ExpressionAttributeNames: { '#0': name },
      ExpressionAttributeValues: { ':partition': value },
    },
  );
  for await (const { Items = [] } of pages) yield Items;
}

/** Yields pages of the complete rows of a partition between two sort keys, by consistent reads. */
export async function* queryRowsBetween(
  { documents, tables }: Deployment,
  table: TableName,
  partition: string,
  [first, last]: KeyRange,
): AsyncGenerator<Row[]> {
  const [partitionKey, sortKey = ''] = keyNames(table);
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

/** Counts the rows of a partition. */
export async function countRows(
  { documents, tables }: Deployment,
  table: TableName,
  partition: string,
): Promise<number> {
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
 * Scans a table and yields pages of the rows whose partition key starts with `prefix`, for rows that no key leads to.
 * `scanned` is the number of all rows in the page, with or without the prefix.
 */
export async function* scanRows(
  { documents, tables }: Deployment,
  table: TableName,
  prefix: string,
  attributes: readonly string[] = [],
): AsyncGenerator<{ readonly rows: Row[]; readonly scanned: number }> {
  const { names, expression } = projection([...keyAttributes(table), ...attributes]);
  const pages = paginateScan(
    { client: documents },
    {
      TableName: tables[table],
      FilterExpression: 'begins_with(#0, :prefix)',
      ProjectionExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ':prefix': prefix },
      ConsistentRead: true,
    },
  );
  for await (const { Items = [], ScannedCount = 0 } of pages) yield { rows: Items, scanned: ScannedCount };
}

/** Returns the approximate number of rows of a table, which DynamoDB updates every six hours. */
export async function countRowsOfTable({ documents, tables }: Deployment, table: TableName): Promise<number> {
  const { Table } = await documents.send(new DescribeTableCommand({ TableName: tables[table] }));
  return Table?.ItemCount ?? 0;
}

/**
 * Removes rows by their keys. Retries the rows that DynamoDB returns as unprocessed, with exponential backoff and
 * jitter, and throws a `UserError` after 12 attempts.
 */
export async function removeRows(
  { documents, tables }: Deployment,
  table: TableName,
  rows: readonly Row[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += maxWrites) {
    const requests = rows.slice(from, from + maxWrites).map((row) => ({ DeleteRequest: { Key: keyOf(table, row) } }));
    let unprocessed: BatchWriteCommandInput['RequestItems'] = { [tables[table]]: requests };
    for (let attempt = 0; unprocessed && Object.keys(unprocessed).length > 0; attempt += 1) {
      if (attempt === maxAttempts)
        throw new UserError(`Table ${tables[table]} throttles the deletions. Run the command again later.`);
      if (attempt > 0) await setTimeout(Math.random() * Math.min(maxPauseMs, 50 * 2 ** attempt));
      const response: BatchWriteCommandOutput = await documents.send(
        new BatchWriteCommand({ RequestItems: unprocessed }),
      );
      unprocessed = response.UnprocessedItems;
    }
  }
}

/**
 * Removes a row that leads to other rows, if its version is still the one that was read, and returns whether it did. A row
 * that was written since may lead to new rows.
 */
export async function removeIfUnchanged(
  { documents, tables }: Deployment,
  table: TableName,
  row: Row,
): Promise<boolean> {
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
  return Object.fromEntries(keyAttributes(table).map((name) => [name, row[name]]));
}

function projection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((attribute, index) => [`#${index}`, attribute]));
  return { names, expression: Object.keys(names).join(', ') };
}
