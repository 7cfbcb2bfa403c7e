import { randomUUID } from 'node:crypto';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  GroupExistsException,
  LimitExceededException,
  ResourceNotFoundException,
  ScopeDoesNotExistException,
} from '@aws-sdk/client-cognito-identity-provider';
import { answering, type Call } from '../client/fake-client.ts';
import { fakePeople } from './fake-people.ts';

type Secret = { readonly id: string; readonly value: string; readonly createdAt: Date };
type Client = { readonly id: string; readonly name: string; readonly input: Call['input']; readonly secrets: Secret[] };
type Ids = { readonly UserPoolId?: string; readonly ClientId?: string; readonly ClientSecretId?: string };

/** The user pool of the fake deployments, and its only scope. */
export const fakePool = { id: 'eu-west-1_TestPool1', scope: 'roomscribe/access' };
/** Their pool of people. */
export const fakePeoplePoolId = 'eu-west-1_People001';

const $metadata = {};

/**
 * Imitates the app clients of a user pool as the API reference of Cognito describes them: several clients can have the same
 * name, a page of a list has at most 60 clients, a client has at most two secrets, and only the call that creates a secret
 * returns its value.
 */
export function fakeCognito() {
  const clients: Client[] = [];
  const groups: { GroupName: string; Description: unknown; CreationDate: Date }[] = [];
  const created = { count: 0 };
  const newSecret = (clientId: string): Secret => {
    created.count += 1;
    const createdAt = new Date(1_800_000_000_000 + created.count * 1000);
    return { id: `${clientId}--${createdAt.getTime()}`, value: `secret${created.count}`, createdAt };
  };
  const clientOf = ({ UserPoolId, ClientId }: Ids): Client => {
    const found = clients.find(({ id }) => id === ClientId);
    if (!found || UserPoolId !== fakePool.id)
      throw new ResourceNotFoundException({ message: 'User pool client does not exist.', $metadata });
    return found;
  };
  const operations: Readonly<Record<string, (input: Call['input'] & Ids) => unknown>> = {
    CreateUserPoolClientCommand(input) {
      const scopes = input.AllowedOAuthScopes as string[];
      if (scopes.some((scope) => scope !== fakePool.scope))
        throw new ScopeDoesNotExistException({ message: 'Invalid scope requested.', $metadata });
      const id = randomUUID().replaceAll('-', '').slice(0, 26); // tests that share a service must not share organizations
      const client = { id, name: String(input.ClientName), input, secrets: [newSecret(id)] };
      clients.push(client);
      return { UserPoolClient: { ClientId: id, ClientName: client.name, ClientSecret: client.secrets[0]?.value } };
    },
    ListUserPoolClientsCommand({ MaxResults, NextToken }) {
      const start = Number(NextToken ?? 0);
      const end = start + Math.min(Number(MaxResults ?? 60), 60);
      const page = clients.slice(start, end).map(({ id, name }) => ({ ClientId: id, ClientName: name }));
      return { UserPoolClients: page, ...(end < clients.length && { NextToken: String(end) }) };
    },
    DeleteUserPoolClientCommand(input) {
      clients.splice(clients.indexOf(clientOf(input)), 1);
      return {};
    },
    CreateGroupCommand({ GroupName, Description }) {
      if (groups.some((group) => group.GroupName === GroupName))
        throw new GroupExistsException({ message: 'A group with the name already exists.', $metadata });
      groups.push({ GroupName: String(GroupName), Description, CreationDate: new Date('2027-01-15T10:00:00Z') });
      return {};
    },
    ListGroupsCommand({ NextToken }) {
      const start = Number(NextToken ?? 0);
      return {
        Groups: groups.slice(start, start + 60),
        ...(start + 60 < groups.length && { NextToken: String(start + 60) }),
      };
    },
    AddUserPoolClientSecretCommand(input) {
      const client = clientOf(input);
      if (client.secrets.length >= 2)
        throw new LimitExceededException({ message: 'A client can have 2 secrets.', $metadata });
      const secret = newSecret(client.id);
      client.secrets.unshift(secret); // Cognito documents no order
      const { id: ClientSecretId, value: ClientSecretValue, createdAt: ClientSecretCreateDate } = secret;
      return { ClientSecretDescriptor: { ClientSecretId, ClientSecretValue, ClientSecretCreateDate } };
    },
    ListUserPoolClientSecretsCommand(input) {
      return {
        ClientSecrets: clientOf(input).secrets.map(({ id, createdAt }) => ({
          ClientSecretId: id,
          ClientSecretCreateDate: createdAt,
        })),
      };
    },
    DeleteUserPoolClientSecretCommand(input) {
      const { secrets } = clientOf(input);
      const index = secrets.findIndex(({ id }) => id === input.ClientSecretId);
      if (index < 0) throw new ResourceNotFoundException({ message: 'Client secret does not exist.', $metadata });
      secrets.splice(index, 1);
      return {};
    },
  };
  const people = fakePeople();
  /** An error for the next call of an operation. With `isDone` the operation takes effect, but its response is lost. */
  const fault: { next?: { name: string; error: Error; isDone: boolean } | undefined } = {};
  const { client: cognito, calls } = answering(new CognitoIdentityProviderClient({ region: 'eu-west-1' }), (call) => {
    const isOfPeople = call.input.UserPoolId === fakePeoplePoolId;
    const operation = (isOfPeople ? people.operations : operations)[call.name];
    if (!operation) throw new Error(`The fake does not implement ${call.name}.`);
    const planned = fault.next?.name === call.name ? fault.next : undefined;
    if (planned) fault.next = undefined;
    if (planned && !planned.isDone) throw planned.error;
    const answer = operation(call.input);
    if (planned) throw planned.error;
    return answer;
  });
  return {
    cognito,
    calls,
    fault,
    clients,
    /** The users and groups of the pool of people. */
    people,
    /** Returns whether Cognito would issue a token for a client id and secret. */
    areValid: (id: string, secret: string) =>
      clients.some((client) => client.id === id && client.secrets.some(({ value }) => value === secret)),
  };
}

/** Returns a CloudFormation client that knows one stack, with these outputs. */
export function fakeCloudFormation(name: string, outputs: Readonly<Record<string, string>>) {
  return answering(new CloudFormationClient({ region: 'eu-west-1' }), ({ input }) => {
    if (input.StackName !== name) {
      const message = `Stack with id ${input.StackName} does not exist`;
      throw Object.assign(new Error(message), { name: 'ValidationError' });
    }
    return {
      Stacks: [{ Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })) }],
    };
  }).client;
}
