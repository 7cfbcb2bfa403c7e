import {
  type CognitoIdentityProviderClient,
  CreateGroupCommand,
  GroupExistsException,
  paginateListGroups,
} from '@aws-sdk/client-cognito-identity-provider';
import type { Organization } from './clients.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** An organization that was deleted, and the day of its deletion. */
export type DeletedOrganization = Organization & { readonly deletedOn: string };

const prefix = 'deleted.';

/**
 * Returns functions that remember the names of deleted organizations. Each is a group of the user pool without members: it
 * costs nothing, needs no other store, and lasts as long as the pool.
 */
export function deletedOrganizations(cognito: CognitoIdentityProviderClient, { userPoolId }: TokenIssuer) {
  return {
    /** Records an organization that is about to be deleted. Does nothing if it is recorded already. */
    async record({ id, name }: Organization): Promise<void> {
      const group = { UserPoolId: userPoolId, GroupName: `${prefix}${id}`, Description: name };
      await cognito.send(new CreateGroupCommand(group)).catch((error) => {
        if (!(error instanceof GroupExistsException)) throw error; // a deletion that died after this step
      });
    },

    /** Lists the recorded organizations, by name. */
    async list(): Promise<DeletedOrganization[]> {
      const found: DeletedOrganization[] = [];
      for await (const { Groups = [] } of paginateListGroups(
        { client: cognito, pageSize: 60 },
        { UserPoolId: userPoolId },
      )) {
        for (const { GroupName = '', Description = '', CreationDate } of Groups) {
          if (!GroupName.startsWith(prefix)) continue;
          const deletedOn = CreationDate?.toISOString().slice(0, 10) ?? 'an unknown day';
          found.push({ id: GroupName.slice(prefix.length), name: Description, deletedOn });
        }
      }
      return found.sort((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
    },
  };
}
