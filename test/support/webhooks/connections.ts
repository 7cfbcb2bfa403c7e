import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection, ConnectionSecret, PlatformName } from '#shared/contracts/platforms/connection.ts';
import { connectionSecretPrefix } from '#shared/runtime/names.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { dynamodb, endpoints, organization, secretsManager } from '../machine.ts';

/** The names of the secrets of connections in the shared local runner begin so. */
export const secretPrefix = connectionSecretPrefix({ deployment: 'Roomscribe-dev' });

/** Connects a platform in the shared local runner, by default for an organization of its own, with one secret. */
export async function connectPlatform(
  platform: PlatformName,
  secret: Omit<ConnectionSecret, 'createdAt'>,
  organizationId = OrganizationId.parse(organization()),
): Promise<Connection> {
  const connectionId = newConnectionId();
  const createdAt = new Date().toISOString();
  const SecretString = JSON.stringify({ secrets: [{ ...secret, createdAt }] });
  await secretsManager.send(new CreateSecretCommand({ Name: `${secretPrefix}${connectionId}`, SecretString }));
  const connection: Connection = { connectionId, organizationId, platform, settings: {}, createdAt };
  await connectionRepository(DynamoDBDocumentClient.from(dynamodb), String(endpoints.tables.connections)).put(
    connection,
  );
  return connection;
}
