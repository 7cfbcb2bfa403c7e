import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  LimitExceededException,
  ResourceNotFoundException,
  ScopeDoesNotExistException,
} from '@aws-sdk/client-cognito-identity-provider';
import { answering, type Call } from './fake-client.ts';

type Secret = { readonly id: string; readonly value: string; readonly createdAt: Date };
type Client = { readonly id: string; readonly name: string; readonly input: Call['input']; readonly secrets: Secret[] };
type Given = { readonly UserPoolId?: string; readonly ClientId?: string; readonly ClientSecretId?: string };

/** The user pool of the fake deployments, and the scope that it has. */
export const fakePool = { id: 'eu-west-1_TestPool1', scope: 'roomscribe/access' };

const $metadata = {};

/**
 * App clients as the API reference of Cognito has them: names need not differ, lists come in pages of at most 60, a client
 * has at most two secrets, and a secret's value is told only by the call that made it.
 */
export function fakeCognito() {
  const clients: Client[] = [];
  const made = { count: 0 };
  const newSecret = (clientId: string): Secret => {
    made.count += 1;
    const createdAt = new Date(1_800_000_000_000 + made.count * 1000);
    return { id: `${clientId}--${createdAt.getTime()}`, value: `secret${made.count}`, createdAt };
  };
  const clientOf = ({ UserPoolId, ClientId }: Given): Client => {
    const found = clients.find(({ id }) => id === ClientId);
    if (!found || UserPoolId !== fakePool.id)
      throw new ResourceNotFoundException({ message: 'User pool client does not exist.', $metadata });
    return found;
  };
  const operations: Readonly<Record<string, (input: Call['input'] & Given) => unknown>> = {
    CreateUserPoolClientCommand(input) {
      const scopes = input.AllowedOAuthScopes as string[];
      if (scopes.some((scope) => scope !== fakePool.scope))
        throw new ScopeDoesNotExistException({ message: 'Invalid scope requested.', $metadata });
      const id = `${String(made.count).padStart(4, '0')}57kf5cpq17m0eml12client`.slice(0, 26);
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
    AddUserPoolClientSecretCommand(input) {
      const client = clientOf(input);
      if (client.secrets.length >= 2)
        throw new LimitExceededException({ message: 'A client can have 2 secrets.', $metadata });
      const secret = newSecret(client.id);
      client.secrets.unshift(secret); // no order is promised
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
  /** Thrown by the next call of an operation: before it, or after it was done (its answer is lost). */
  const fault: { next?: { name: string; error: Error; isDone: boolean } | undefined } = {};
  const { client: cognito, calls } = answering(new CognitoIdentityProviderClient({ region: 'eu-west-1' }), (call) => {
    const operation = operations[call.name];
    if (!operation) throw new Error(`The fake has no ${call.name}.`);
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
    /** Whether a token would be given for them. */
    areGood: (id: string, secret: string) =>
      clients.some((client) => client.id === id && client.secrets.some(({ value }) => value === secret)),
  };
}

/** CloudFormation with one stack of some outputs. */
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
