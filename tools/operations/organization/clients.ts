import {
  AddUserPoolClientSecretCommand,
  type CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  DeleteUserPoolClientCommand,
  DeleteUserPoolClientSecretCommand,
  LimitExceededException,
  ListUserPoolClientSecretsCommand,
  paginateListUserPoolClients,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { UserError } from '../../shared/user-error.ts';
import type { Deployment } from './deployment.ts';

/** An organization is an app client: its name is the client's, its id in tokens, tables and events the client's id. */
export type Organization = { readonly id: string; readonly name: string };

/** What a client asks for tokens with; the secret is shown once. */
export type Credentials = Organization & { readonly secret: string };

/** Which of two secrets is meant: the one that is replaced, or the one that replaces it. */
export type SecretAge = 'old' | 'new';

/** The organizations of a deployment: its user pool's clients. */
export function organizationClients(cognito: CognitoIdentityProviderClient, deployment: Deployment) {
  const { userPoolId: UserPoolId, tokenScope, stage } = deployment;

  async function list(): Promise<Organization[]> {
    const found: Organization[] = [];
    for await (const { UserPoolClients = [] } of paginateListUserPoolClients(
      { client: cognito, pageSize: 60 },
      { UserPoolId },
    )) {
      found.push(...UserPoolClients.map(({ ClientId = '', ClientName = '' }) => ({ id: ClientId, name: ClientName })));
    }
    return found.sort((one, other) => one.name.localeCompare(other.name) || one.id.localeCompare(other.id));
  }

  const named = async (nameOrId: string) =>
    (await list()).filter(({ id, name }) => name === nameOrId || id === nameOrId);

  /** The one organization of a name or an id. */
  async function find(nameOrId: string): Promise<Organization> {
    const found = await search(nameOrId);
    if (found) return found;
    throw new UserError(
      `There is no organization ${nameOrId} in ${stage}. npm run organization -- list --stage ${stage} shows all.`,
    );
  }

  /** The same, or undefined where there is none. */
  async function search(nameOrId: string): Promise<Organization | undefined> {
    const [found, ...others] = await named(nameOrId);
    if (!found || others.length === 0) return found;
    const ids = [found, ...others].map(({ id }) => id).join(' and ');
    throw new UserError(`${nameOrId} is the name of more than one client: ${ids}. Name the one you mean by its id.`);
  }

  async function create(name: string): Promise<Credentials> {
    const [existing] = await named(name);
    if (existing) {
      throw new UserError(
        `There is an organization ${name} in ${stage} already, ${existing.id}; nothing was changed. ` +
          `If its secret is lost: npm run organization -- rotate ${name} --stage ${stage}`,
      );
    }
    const { UserPoolClient } = await cognito
      .send(
        new CreateUserPoolClientCommand({
          UserPoolId,
          ClientName: name,
          GenerateSecret: true,
          AllowedOAuthFlowsUserPoolClient: true,
          AllowedOAuthFlows: ['client_credentials'],
          AllowedOAuthScopes: [tokenScope],
          ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'], // none at all would mean the defaults: signing in by password too
          AccessTokenValidity: 60,
          TokenValidityUnits: { AccessToken: 'minutes' },
        }),
      )
      .catch((error) => {
        throw onLimit(
          error,
          'The user pool has no room for another client. Ask AWS for a higher quota of app clients per user pool.',
        );
      });
    return { id: given(UserPoolClient?.ClientId), name, secret: given(UserPoolClient?.ClientSecret) };
  }

  /** The secrets of a client, the older first. */
  async function secretsOf({ id }: Organization): Promise<string[]> {
    const { ClientSecrets = [] } = await cognito.send(
      new ListUserPoolClientSecretsCommand({ UserPoolId, ClientId: id }),
    );
    return [...ClientSecrets]
      .sort((one, other) => Number(one.ClientSecretCreateDate) - Number(other.ClientSecretCreateDate))
      .map(({ ClientSecretId }) => given(ClientSecretId));
  }

  /** Adds a second secret; both are good until one is dropped. */
  async function rotate(nameOrId: string): Promise<Credentials> {
    const organization = await find(nameOrId);
    const command = new AddUserPoolClientSecretCommand({ UserPoolId, ClientId: organization.id });
    const { ClientSecretDescriptor } = await cognito.send(command).catch((error) => {
      throw onLimit(
        error,
        `${organization.name} has two secrets already, and a client cannot have a third. End the last rotation first:\n` +
          `  npm run organization -- rotate ${nameOrId} --stage ${stage} --drop old   if the new one is in use\n` +
          `  npm run organization -- rotate ${nameOrId} --stage ${stage} --drop new   if the new one is lost`,
      );
    });
    return { ...organization, secret: given(ClientSecretDescriptor?.ClientSecretValue) };
  }

  /** Ends a rotation: one of two secrets is good no longer. */
  async function drop(nameOrId: string, age: SecretAge): Promise<Organization> {
    const organization = await find(nameOrId);
    const [oldest, newest] = await secretsOf(organization);
    if (oldest === undefined || newest === undefined) {
      throw new UserError(`${organization.name} has only one secret: there is no rotation to end.`);
    }
    const ClientSecretId = age === 'old' ? oldest : newest;
    await cognito.send(
      new DeleteUserPoolClientSecretCommand({ UserPoolId, ClientId: organization.id, ClientSecretId }),
    );
    return organization;
  }

  async function remove(nameOrId: string): Promise<Organization> {
    const organization = await find(nameOrId);
    await cognito.send(new DeleteUserPoolClientCommand({ UserPoolId, ClientId: organization.id })).catch((error) => {
      if (!(error instanceof ResourceNotFoundException)) throw error; // somebody else was first
    });
    return organization;
  }

  return { list, find, search, create, rotate, drop, remove };
}

function onLimit(error: unknown, message: string): unknown {
  return error instanceof LimitExceededException ? new UserError(message, { cause: error }) : error;
}

function given(value: string | undefined): string {
  if (value === undefined) throw new Error('Cognito left out an id or a secret that it promises.');
  return value;
}
