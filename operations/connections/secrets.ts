import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  paginateListSecrets,
  ResourceExistsException,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';
import { v5 as uuidv5 } from 'uuid';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  type Connection,
  type ConnectionSecret,
  type ConnectionSecrets,
  secretsIn,
} from '#shared/contracts/platforms/connection.ts';
import { UserError } from '#tools/shared/user-error.ts';
import type { Deployment } from '../erasure/deployment.ts';

/** The tag that says whose secret it is, also if the row of the connection is gone. */
export const organizationTag = 'organizationId';

/** The namespace of the ids of versions. */
const nextVersion = '4be4d4d1-0d1c-5c1e-9a4b-6f8e6b3f6c55';

/** The secrets of a connection as they were at one time. */
export type ReadSecrets = { readonly secrets: readonly ConnectionSecret[]; readonly version: string };

type Store = Pick<Deployment, 'secretsManager' | 'connectionSecretPrefix' | 'encryptionKeyArn'>;

/** The secrets of the connections of a deployment, in Secrets Manager: one for each connection. No error has a secret in its text. */
export function managedSecrets({ secretsManager: client, connectionSecretPrefix: prefix, encryptionKeyArn }: Store) {
  const nameOf = (connectionId: string): string => `${prefix}${connectionId}`;
  return {
    /** Reads the secrets of a connection, the oldest first, and their version. Empty if it has none. */
    async read(connectionId: string): Promise<ReadSecrets> {
      try {
        const command = new GetSecretValueCommand({ SecretId: nameOf(connectionId) });
        const { SecretString, VersionId = '' } = await client.send(command);
        return { secrets: readSecrets(SecretString, connectionId), version: VersionId };
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return { secrets: [], version: '' };
        if (!(error instanceof InvalidRequestException)) throw error;
        throw new UserError(
          `Somebody has scheduled the deletion of the secret ${nameOf(connectionId)}. Restore it with\n` +
            `  aws secretsmanager restore-secret --secret-id ${nameOf(connectionId)}\nor disconnect the connection.`,
          { cause: error },
        );
      }
    },

    /** Creates the secret of a connection that has none. */
    async create({ connectionId, organizationId }: Connection, secret: ConnectionSecret): Promise<void> {
      const command = new CreateSecretCommand({
        Name: nameOf(connectionId),
        SecretString: textOf([secret]),
        Tags: [{ Key: organizationTag, Value: organizationId }],
        ...(encryptionKeyArn !== undefined && { KmsKeyId: encryptionKeyArn }),
      });
      await client.send(command).catch((error) => {
        if (!(error instanceof ResourceExistsException)) throw error;
        throw new UserError('Another operator has just given this connection a secret. Run the command again.');
      });
    },

    /**
     * Replaces the secrets of a connection that has some. Throws a `UserError` if somebody has changed them since this version was read:
     * the id of the new version follows from the old one, and Secrets Manager refuses another value for an id that it has.
     */
    async replace(connectionId: string, secrets: readonly ConnectionSecret[], version: string): Promise<void> {
      const SecretId = nameOf(connectionId);
      const ClientRequestToken = uuidv5(version, nextVersion);
      const command = new PutSecretValueCommand({ SecretId, SecretString: textOf(secrets), ClientRequestToken });
      await client.send(command).catch((error) => {
        if (!(error instanceof ResourceExistsException)) throw error;
        throw new UserError(
          'Another operator has just changed the secrets of this connection, so this command changed nothing. Run it again.',
        );
      });
    },

    /** Says if a connection has a secret, also one that somebody has marked for deletion. */
    async exists(connectionId: string): Promise<boolean> {
      try {
        await client.send(new DescribeSecretCommand({ SecretId: nameOf(connectionId) }));
        return true;
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return false;
        throw error;
      }
    },

    /** Removes the secrets of a connection at once. Does nothing if it has none. */
    async remove(connectionId: string): Promise<void> {
      const SecretId = nameOf(connectionId);
      await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true })).catch((error) => {
        if (!(error instanceof ResourceNotFoundException)) throw error; // AWS documents both answers
      });
    },

    /** Yields the connections of an organization that have a secret. The list of AWS can be minutes old. */
    async *idsOf(organizationId: OrganizationId): AsyncGenerator<string> {
      const Filters = [
        { Key: 'name' as const, Values: [prefix] },
        { Key: 'tag-value' as const, Values: [organizationId] },
      ];
      const pages = paginateListSecrets({ client }, { Filters, IncludePlannedDeletion: true });
      for await (const { SecretList = [] } of pages) {
        for (const { Name = '', Tags = [] } of SecretList) {
          // The filters compare the beginnings of texts, and of any tag.
          const isOwn = Tags.some(({ Key, Value }) => Key === organizationTag && Value === organizationId);
          if (isOwn && Name.startsWith(prefix)) yield Name.slice(prefix.length);
        }
      }
    },
  };
}

function textOf(secrets: readonly ConnectionSecret[]): string {
  return JSON.stringify({ secrets: [...secrets] } satisfies ConnectionSecrets);
}

function readSecrets(text: string | undefined, connectionId: string): readonly ConnectionSecret[] {
  const secrets = secretsIn(text);
  if (secrets) return secrets;
  throw new UserError(
    `The secret of the connection ${connectionId} does not have the form that this service writes. Disconnect it, and connect again.`,
  );
}
