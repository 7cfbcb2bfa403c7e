import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  paginateListSecrets,
  ResourceNotFoundException,
} from '@aws-sdk/client-secrets-manager';
import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import type { Deployment } from '../erasure/deployment.ts';

/** The tag that says whose secret it is, also if the row of the connection is gone. */
export const organizationTag = 'organizationId';

type Store = Pick<Deployment, 'secretsManager' | 'connectionSecretPrefix'>;

/** The secrets of the connections of a deployment, in Secrets Manager: one for each connection. */
export function connectionSecrets({ secretsManager: client, connectionSecretPrefix: prefix }: Store) {
  const nameOf = (connectionId: string): string => `${prefix}${connectionId}`;
  return {
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
