import type { Connection, ConnectionSettings, PlatformName } from '#shared/contracts/platforms/connection.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { connectionRepository } from '#shared/storage/platforms/connections.ts';
import { countParked } from '#shared/storage/platforms/platform-sessions.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { type Dependencies, type Scope, type Subject, targetFlag } from '../organization/scope.ts';
import type { SecretAge } from '../organization/secrets.ts';
import { commandOf, describeConnection, describeLines, describeNew, nextSteps, withoutSecret } from './describe.ts';
import { newConnectionId } from './new-connection-id.ts';
import { askForSecret, assertGiven, type Given, madeSecret, secretKnownBefore } from './new-secret.ts';
import { managedSecrets } from './secrets.ts';

/** Each connection costs a secret a month, and an organization needs a few. */
export const maxConnections = 50;

/** What a command on one connection is about. */
export type OnConnection = Subject & { readonly connectionId: string };

/**
 * Creates a connection and returns its address and the lines for its platform. The row comes before the secret, so that every secret
 * has a row that leads to it. After a crash in between, the connection refuses every webhook until `rotate` gives it a secret.
 */
export async function connect(
  command: Subject & Given & { readonly platform: PlatformName; readonly settings: ConnectionSettings },
  scope: Scope,
  dependencies: Dependencies,
): Promise<string> {
  const { organizationId, deployment } = scope;
  const { platform, settings } = command;
  const connections = connectionRepository(deployment.documents, deployment.tables.connections);
  await assertRoom(command, scope, (await connections.listOf(organizationId)).length);
  const known = madeSecret(platform) ?? (await secretKnownBefore(command, dependencies));
  const createdAt = new Date().toISOString();
  const connection = { connectionId: newConnectionId(), organizationId, platform, settings, createdAt };
  await connections.put(connection);
  if (known) await managedSecrets(deployment).create(connection, known);
  dependencies.terminal.print(describeNew(connection, known ?? { id: command.keyId }, scope));
  if (known) return nextSteps(command);
  const later = withoutSecret(command, connection, command.keyId);
  const secret = await askForSecret(platform, command, dependencies).catch((error) => {
    if (error instanceof UserError) throw new UserError(`${error.message}\n${later}`, { cause: error });
    throw error;
  });
  if (!secret) return later;
  await managedSecrets(deployment).create(connection, secret);
  return nextSteps(command);
}

/** Adds a second secret to a connection. Both are valid until one is dropped. A connection without a secret gets its first one. */
export async function rotate(command: OnConnection & Given, scope: Scope, dependencies: Dependencies): Promise<string> {
  const connection = await findConnection(command, scope);
  const { connectionId, platform } = connection;
  assertGiven(platform, command);
  const store = managedSecrets(scope.deployment);
  const { secrets, version } = await store.read(connectionId);
  const again = commandOf(command, 'rotate', `--connection ${connectionId}`);
  if (secrets.length > 1)
    throw new UserError(
      `The connection ${connectionId} already has two secrets, the maximum. End the last rotation first:\n` +
        `  ${again} --drop old   if the new secret is in use\n  ${again} --drop new   if the new secret is lost`,
    );
  const secret = madeSecret(platform) ?? (await askForSecret(platform, command, dependencies));
  if (!secret)
    throw new UserError(
      `No secret given, so nothing was changed. Run the command on a terminal, which asks for the secret, or add --secret-stdin.`,
    );
  if (secrets.some(({ id, value }) => id === secret.id && value === secret.value))
    throw new UserError('The connection already has this secret. Nothing was changed.');
  if (secrets.length === 0) await store.create(connection, secret);
  else await store.replace(connectionId, [...secrets, secret], version);
  const lines = describeLines(connection, secret, scope);
  if (secrets.length === 0)
    return `The connection ${connectionId} has its first secret, and accepts webhooks from now on.\n\n${lines}`;
  return (
    `Added a second secret to the connection ${connectionId}. It is valid within a minute. The first one is valid until you drop it:\n` +
    `  ${again} --drop old\n\n${lines}`
  );
}

/** Ends a rotation: removes one of the two secrets of a connection. */
export async function dropSecret(command: OnConnection, age: SecretAge, scope: Scope): Promise<string> {
  const { connectionId } = await findConnection(command, scope);
  const store = managedSecrets(scope.deployment);
  const { secrets, version } = await store.read(connectionId);
  const [old, added] = secrets;
  if (!old || !added)
    throw new UserError(`The connection ${connectionId} has fewer than two secrets, so there is no rotation to end.`);
  await store.replace(connectionId, [age === 'old' ? added : old], version);
  return `Dropped the ${age} secret of the connection ${connectionId}. Webhooks that it signs are refused within a minute.`;
}

/** Removes a connection: first its secrets and then its row, so that a second run finds what a crash has left. */
export async function disconnect(command: OnConnection, scope: Scope): Promise<string> {
  const { deployment, organizationId } = scope;
  const { connectionId } = command;
  const connections = connectionRepository(deployment.documents, deployment.tables.connections);
  const found = await connections.find(connectionId);
  const isOwn = found ? found.organizationId === organizationId : await hasSecret(scope, connectionId);
  if (!isOwn) throw unknownConnection(command, scope);
  await managedSecrets(deployment).remove(connectionId);
  await connections.remove(connectionId);
  const title = found ? platforms[found.platform].title : 'The platform';
  return (
    `Disconnected ${connectionId}. Its webhooks are refused within a minute. Remove the webhook at the platform, too: ` +
    `${title} goes on sending otherwise. Events and insights are kept.`
  );
}

/** Lists the connections of an organization. It says how many secrets each has, and never a secret. */
export async function listConnections(command: Subject, scope: Scope): Promise<string> {
  const { deployment, organizationId } = scope;
  const connections = await connectionRepository(deployment.documents, deployment.tables.connections).listOf(
    organizationId,
  );
  if (connections.length === 0)
    return `${command.name} has no connections. To connect a platform:\n  ${commandOf(command, 'connect', 'PLATFORM')}`;
  const store = managedSecrets(deployment);
  const described: string[] = [];
  for (const connection of connections) {
    const secrets = await store.read(connection.connectionId).then((read) => read.secrets.length, problemOf);
    const waiting = await countParked(deployment.documents, deployment.tables.platformSessions, connection);
    described.push(describeConnection(connection, { secrets, waiting }, command, scope));
  }
  return described.join('\n\n');
}

/** Finds the connection of a command. Throws a `UserError` if the organization has none with this id. */
export async function findConnection(command: OnConnection, scope: Scope): Promise<Connection> {
  const { documents, tables } = scope.deployment;
  const found = await connectionRepository(documents, tables.connections).find(command.connectionId);
  if (found?.organizationId === scope.organizationId) return found;
  throw unknownConnection(command, scope);
}

function unknownConnection(command: OnConnection, { organizationId }: Scope): UserError {
  return new UserError(
    `Organization ${organizationId} has no connection ${command.connectionId}. To list its connections:\n` +
      `  ${commandOf(command, 'connections')}`,
  );
}

/** A connection of an organization that does not exist would never be seen. */
async function assertRoom(command: Subject, scope: Scope, count: number): Promise<void> {
  if (scope.hasUserPool && !scope.client)
    throw new UserError(
      `${scope.note} Nothing was connected. To list the organizations: npm run organization -- list ${targetFlag(command.target)}`,
    );
  if (count >= maxConnections)
    throw new UserError(
      `${command.name} already has ${count} connections, the maximum is ${maxConnections}. Disconnect one that is not used:\n` +
        `  ${commandOf(command, 'connections')}`,
    );
}

/** What an operator can do about a secret that cannot be read. The other connections are listed all the same. */
function problemOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  throw error;
}

async function hasSecret({ deployment, organizationId }: Scope, connectionId: string): Promise<boolean> {
  for await (const id of managedSecrets(deployment).idsOf(organizationId)) if (id === connectionId) return true;
  return false;
}
