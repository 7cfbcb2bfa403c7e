import {
  type CognitoIdentityProviderClient,
  CreateUserPoolClientCommand,
  DeleteUserPoolClientCommand,
  LimitExceededException,
  paginateListUserPoolClients,
  ResourceNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { UserError } from '#tools/shared/user-error.ts';
import type { TokenIssuer } from './token-issuer.ts';

/** An organization is an app client of the user pool. The client's id is the organization's id in tokens, tables and events. */
export type Organization = { readonly id: string; readonly name: string };

/** What an organization requests tokens with. Cognito returns the secret only once. */
export type Credentials = Organization & { readonly secret: string };

/** Returns functions that list, find, create and remove the organizations of a stage. */
export function organizationClients(cognito: CognitoIdentityProviderClient, issuer: TokenIssuer) {
  const { userPoolId: UserPoolId, stage } = issuer;

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

  async function findAll(nameOrId: string): Promise<Organization[]> {
    return (await list()).filter(({ id, name }) => name === nameOrId || id === nameOrId);
  }

  /** Finds the organization with a name or an id. Throws a `UserError` if several have it. */
  async function find(nameOrId: string): Promise<Organization | undefined> {
    const [found, ...others] = await findAll(nameOrId);
    if (!found || others.length === 0) return found;
    const ids = [found, ...others].map(({ id }) => id).join(' and ');
    throw new UserError(`More than one client has the name ${nameOrId}: ${ids}. Use the id instead.`);
  }

  /** Like `find`, but throws a `UserError` if there is no such organization. */
  async function get(nameOrId: string): Promise<Organization> {
    const found = await find(nameOrId);
    if (found) return found;
    throw new UserError(
      `There is no organization ${nameOrId} in ${stage}. To list all: npm run organization -- list --stage ${stage}`,
    );
  }

  async function create(name: string): Promise<Credentials> {
    const [existing] = await findAll(name);
    if (existing) {
      throw new UserError(
        `Organization ${name} already exists in ${stage} with id ${existing.id}. Nothing was changed. ` +
          `If its secret is lost, create a new one: npm run organization -- rotate ${name} --stage ${stage}`,
      );
    }
    const { UserPoolClient } = await cognito
      .send(new CreateUserPoolClientCommand(newClient(name, issuer)))
      .catch((error) => {
        throw explainLimit(
          error,
          'The user pool has reached its quota of app clients. Ask AWS to increase the quota of app clients per user pool.',
        );
      });
    return { id: required(UserPoolClient?.ClientId), name, secret: required(UserPoolClient?.ClientSecret) };
  }

  async function remove(nameOrId: string): Promise<Organization> {
    const organization = await get(nameOrId);
    await cognito.send(new DeleteUserPoolClientCommand({ UserPoolId, ClientId: organization.id })).catch((error) => {
      if (!(error instanceof ResourceNotFoundException)) throw error; // another operator deleted it first
    });
    return organization;
  }

  return { list, find, get, create, remove };
}

function newClient(name: string, { userPoolId, tokenScope }: TokenIssuer) {
  return {
    UserPoolId: userPoolId,
    ClientName: name,
    GenerateSecret: true,
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['client_credentials' as const],
    AllowedOAuthScopes: [tokenScope],
    // An empty list would enable the defaults, which include signing in with a password.
    ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH' as const],
    AccessTokenValidity: 60,
    TokenValidityUnits: { AccessToken: 'minutes' as const },
  };
}

/** Turns an error about a limit of Cognito into a `UserError` with this message. Returns any other error unchanged. */
export function explainLimit(error: unknown, message: string): unknown {
  return error instanceof LimitExceededException ? new UserError(message, { cause: error }) : error;
}

/** Returns a value that Cognito documents as present in its responses. Throws if it is missing. */
export function required(value: string | undefined): string {
  if (value === undefined) throw new Error('The response of Cognito contains no id or no secret.');
  return value;
}
