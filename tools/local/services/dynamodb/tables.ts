import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { Resource } from '#tools/local/template/stack.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';

type Table = Resource<'AWS::DynamoDB::Table'>;

/** Creates the stack's tables that do not exist; with `fresh`, all of them. Throws if keys, indexes or streams differ. */
export async function createTables(
  url: string,
  tables: readonly Table[],
  { fresh }: { readonly fresh: boolean },
): Promise<void> {
  const client = new DynamoDBClient(clientSettings(url));
  try {
    await Promise.all(tables.map((table) => createTable(client, table, fresh)));
  } finally {
    client.destroy();
  }
}

async function createTable(client: DynamoDBClient, table: Table, fresh: boolean): Promise<void> {
  const existing = await describe(client, table.name);
  if (existing && !fresh) {
    rejectDifference(table, existing);
    return;
  }
  if (existing) await client.send(new DeleteTableCommand({ TableName: table.name }));
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, TimeToLiveSpecification, StreamSpecification } =
    table.properties;
  await client.send(
    new CreateTableCommand({
      TableName: table.name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions,
      KeySchema,
      ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(indexOf) }),
      ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 1 }, { TableName: table.name });
  if (TimeToLiveSpecification) {
    await client.send(new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification }));
  }
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

type Index = Table['properties']['GlobalSecondaryIndexes'][number];

function indexOf({ IndexName, KeySchema, Projection: { ProjectionType, NonKeyAttributes } }: Index) {
  return { IndexName, KeySchema, Projection: { ProjectionType, ...(NonKeyAttributes && { NonKeyAttributes }) } };
}

function rejectDifference(table: Table, existing: TableDescription): void {
  const { KeySchema, GlobalSecondaryIndexes, StreamSpecification } = table.properties;
  const declared = shapeOf({ KeySchema, GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(indexOf) });
  if (!isDeepStrictEqual(declared, shapeOf(existing)))
    throw new UserError(
      `The keys or indexes of the local table ${table.name} differ from the stack. Start again with --fresh.`,
    );
  const { StreamEnabled, StreamViewType } = existing.StreamSpecification ?? {};
  const streamed = StreamEnabled ? StreamViewType : undefined;
  if (streamed !== StreamSpecification?.StreamViewType)
    throw new UserError(
      `The stream of the local table ${table.name} differs from the stack. Start again with --fresh.`,
    );
}

/** Keys and indexes, sorted so that two tables can be compared. */
function shapeOf(table: Pick<TableDescription, 'KeySchema' | 'GlobalSecondaryIndexes'>) {
  const keys = (schema: readonly KeySchemaElement[] = []) =>
    schema.map(({ KeyType, AttributeName }) => `${KeyType} ${AttributeName}`).sort();
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) =>
    [
      IndexName,
      ...keys(KeySchema),
      Projection?.ProjectionType,
      ...(Projection?.NonKeyAttributes ?? []).toSorted(),
    ].join(' '),
  );
  return { keys: keys(table.KeySchema), indexes: indexes.sort() };
}
