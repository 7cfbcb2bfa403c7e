import { randomBytes } from 'node:crypto';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Connection, hookUrl } from '#shared/contracts/connection.ts';
import type { OrganizationId } from '#shared/contracts/organization.ts';
import { connectionSecretPrefix } from '#shared/names.ts';
import { dynamodb, endpoints, secretsManager } from '../support/machine.ts';
import { key } from './programs.ts';

/** Connects LiveKit for an organization. Returns the URL of its webhooks. */
export async function connect(organizationId: string): Promise<string> {
  const createdAt = new Date().toISOString();
  const Item: Connection = {
    connectionId: randomBytes(32).toString('base64url'),
    organizationId: organizationId as OrganizationId,
    platform: 'livekit',
    settings: {},
    createdAt,
  };
  const Name = `${connectionSecretPrefix({ deployment: 'Roomscribe-dev' })}${Item.connectionId}`;
  const SecretString = JSON.stringify({ secrets: [{ ...key, createdAt }] });
  await secretsManager.send(new CreateSecretCommand({ Name, SecretString }));
  await DynamoDBDocumentClient.from(dynamodb).send(new PutCommand({ TableName: endpoints.tables.connections, Item }));
  return hookUrl(endpoints.apiUrl, Item);
}
