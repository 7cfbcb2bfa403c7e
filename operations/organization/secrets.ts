import {
  AddUserPoolClientSecretCommand,
  type CognitoIdentityProviderClient,
  DeleteUserPoolClientSecretCommand,
  ListUserPoolClientSecretsCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import { UserError } from '#tools/shared/user-error.ts';
import { type Credentials, explainLimit, type Organization, organizationClients, required } from './clients.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** Selects one of an organization's two secrets: `new` is the one that was created last. */
export type SecretAge = 'old' | 'new';

/** Returns functions that rotate the secrets of the organizations of a stage. */
export function organizationSecrets(cognito: CognitoIdentityProviderClient, issuer: TokenIssuer) {
  const { userPoolId: UserPoolId, stage } = issuer;
  const { get } = organizationClients(cognito, issuer);

  /** Starts a rotation: adds a second secret. Both secrets are valid until one is dropped. */
  async function add(nameOrId: string): Promise<Credentials> {
    const organization = await get(nameOrId);
    const command = new AddUserPoolClientSecretCommand({ UserPoolId, ClientId: organization.id });
    const { ClientSecretDescriptor } = await cognito.send(command).catch((error) => {
      throw explainLimit(
        error,
        `${organization.name} already has two secrets, the maximum. End the last rotation first:\n` +
          `  npm run organization -- rotate ${nameOrId} --stage ${stage} --drop old   if the new secret is in use\n` +
          `  npm run organization -- rotate ${nameOrId} --stage ${stage} --drop new   if the new secret is lost`,
      );
    });
    return { ...organization, secret: required(ClientSecretDescriptor?.ClientSecretValue) };
  }

  /** Ends a rotation: deletes one of the two secrets. Throws a `UserError` if the organization has only one. */
  async function drop(nameOrId: string, age: SecretAge): Promise<Organization> {
    const organization = await get(nameOrId);
    const [oldest, newest] = await listByAge(organization);
    if (oldest === undefined || newest === undefined) {
      throw new UserError(`${organization.name} has only one secret, so there is no rotation to end.`);
    }
    const ClientSecretId = age === 'old' ? oldest : newest;
    await cognito.send(
      new DeleteUserPoolClientSecretCommand({ UserPoolId, ClientId: organization.id, ClientSecretId }),
    );
    return organization;
  }

  /** Returns the ids of an organization's secrets, the oldest first. */
  async function listByAge({ id }: Organization): Promise<string[]> {
    const { ClientSecrets = [] } = await cognito.send(
      new ListUserPoolClientSecretsCommand({ UserPoolId, ClientId: id }),
    );
    return [...ClientSecrets]
      .sort((one, other) => Number(one.ClientSecretCreateDate) - Number(other.ClientSecretCreateDate))
      .map(({ ClientSecretId }) => required(ClientSecretId));
  }

  return { add, drop };
}
