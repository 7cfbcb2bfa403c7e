import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
} from '@aws-sdk/lib-dynamodb';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { Connection, ConnectionId } from '#shared/contracts/platforms/connection.ts';
import { attributeNames, rowsByOrganization } from '#shared/runtime/names.ts';
import type { ConnectionStore } from '#shared/use-cases/platforms/ports.ts';

/** For how long a function uses a connection that it has read. A disconnected one is refused after this time. */
const rememberedMs = 10_000;
/** More connections than one function serves in ten seconds. */
const maxRemembered = 1_000;

/** The row of a connection, and back. */
export const connectionRow = {
  keyOf: (connectionId: string) => ({ [attributeNames.connectionId]: connectionId }),
  of: (connection: Connection): Record<string, unknown> => ({ ...connection }),
  read: (item: unknown): Connection => Connection.parse(item),
};

/** Implements `ConnectionStore` with DynamoDB, and what the commands of operators need besides. */
export function connectionRepository(documents: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Reads with strong consistency. A text that cannot be an id costs no read. */
    async find(connectionId: string): Promise<Connection | undefined> {
      if (!ConnectionId.safeParse(connectionId).success) return undefined;
      const Key = connectionRow.keyOf(connectionId);
      const { Item } = await documents.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item && connectionRow.read(Item);
    },

    /** Every connection of an organization, the oldest first. The index is eventually consistent. */
    async listOf(organizationId: OrganizationId): Promise<readonly Connection[]> {
      const query = {
        TableName: tableName,
        IndexName: rowsByOrganization,
        KeyConditionExpression: `${attributeNames.organizationId} = :organizationId`,
        ExpressionAttributeValues: { ':organizationId': organizationId },
      };
      const ids: string[] = [];
      for await (const { Items = [] } of paginateQuery({ client: documents }, query))
        ids.push(...Items.map((item) => String(item[attributeNames.connectionId])));
      const found = await Promise.all(ids.map((id) => this.find(id)));
      return found
        .filter((connection) => connection !== undefined)
        .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
    },

    /** Writes a connection. A repeated call writes the same row. */
    async put(connection: Connection): Promise<void> {
      await documents.send(new PutCommand({ TableName: tableName, Item: connectionRow.of(connection) }));
    },

    /** Removes a connection. Does nothing if there is none. */
    async remove(connectionId: string): Promise<void> {
      await documents.send(new DeleteCommand({ TableName: tableName, Key: connectionRow.keyOf(connectionId) }));
    },
  } satisfies ConnectionStore & Record<string, unknown>;
}

/** Keeps connections that were found in memory for ten seconds. A connection that was not found is looked for again. */
export function rememberedConnections(
  store: ConnectionStore,
  { now = Date.now }: { readonly now?: () => number } = {},
): ConnectionStore {
  const remembered = new Map<string, { readonly readAt: number; readonly connection: Connection }>();
  return {
    async find(connectionId) {
      const known = remembered.get(connectionId);
      if (known && now() - known.readAt < rememberedMs) return known.connection;
      remembered.delete(connectionId);
      const readAt = now();
      const connection = await store.find(connectionId);
      if (connection) remembered.set(connectionId, { readAt, connection });
      if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? '');
      return connection;
    },
  };
}
