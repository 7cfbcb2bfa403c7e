import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { TableName } from '#shared/runtime/names.ts';
import { dynamodb, endpoints } from '../machine.ts';

/** Creates an empty table with the keys and indexes of one of the local service, which no worker of the service reads. Returns its name. */
export async function copyOfTable(table: TableName, suffix: string = randomUUID().slice(0, 8)): Promise<string> {
  const { Table = {} } = await dynamodb.send(new DescribeTableCommand({ TableName: endpoints.tables[table] ?? table }));
  const name = `${table}-${suffix}`;
  await dynamodb.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: Table.AttributeDefinitions,
      KeySchema: Table.KeySchema,
      GlobalSecondaryIndexes: Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  );
  return name;
}
