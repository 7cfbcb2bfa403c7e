import { type Connection, type ConnectionSecret, hookUrl } from '#shared/contracts/platforms/connection.ts';
import { recordingsFolder } from '#shared/domain/transcriptions/connection-files.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { setups } from '#shared/platforms/setups.ts';
import { type Scope, type Subject, shellQuote, targetFlag } from '../organization/scope.ts';

/** The command line of another command on the same organization. */
export function commandOf({ name, target }: Subject, action: string, rest = ''): string {
  return ['npm run organization --', action, name, rest, targetFlag(target)].filter((text) => text !== '').join(' ');
}

/** What is known of a secret: all of it, or only its id, because the value comes later. */
type KnownSecret = Partial<Pick<ConnectionSecret, 'id' | 'value'>>;

/** Says what was connected, with its address and the lines for its platform. It shows a secret only if this service has made it. */
export function describeNew(connection: Connection, secret: KnownSecret, scope: Scope): string {
  const { title } = platforms[connection.platform];
  return `Connected ${title} to ${scope.client?.name ?? scope.organizationId}. The id of the connection is ${connection.connectionId}.

${describeLines(connection, secret, scope)}
`;
}

/** The lines for the configuration of the platform. */
export function describeLines(connection: Connection, { id: keyId, value }: KnownSecret, scope: Scope): string {
  const { platform, settings } = connection;
  const { title, secretOrigin } = platforms[platform];
  const secret = secretOrigin === 'generated' ? value : undefined;
  const { apiUrl, buckets } = scope.deployment;
  const url = hookUrl(apiUrl, connection);
  const recordings = { bucket: buckets.recordings, folder: recordingsFolder(scope.organizationId) };
  const lines = setups[platform]({ url, settings, recordings, secret, keyId });
  const once = secret === undefined ? '' : ' The secret is shown only once.';
  return `For the configuration of ${title}:${once}\n\n${indented(lines)}`;
}

/** What follows a connection. */
export function nextSteps(command: Subject): string {
  return (
    'The connection accepts webhooks from now on. To see it, and how many webhooks wait for their session:\n' +
    `  ${commandOf(command, 'connections')}`
  );
}

/** Says how to give a connection its first secret. */
export function withoutSecret(command: Subject, connection: Named, keyId?: string): string {
  return (
    `The connection has no secret yet, so it refuses every webhook. When you have the secret of ${platforms[connection.platform].title}, ` +
    `run this command, which asks for it:\n  ${firstSecretOf(command, connection, keyId)}`
  );
}

/** Describes one connection in a list. `secrets` is their number, or why they cannot be read. */
export function describeConnection(
  connection: Connection,
  { secrets, waiting }: { readonly secrets: number | string; readonly waiting: number },
  command: Subject,
  { deployment }: Scope,
): string {
  const { connectionId, platform, settings, createdAt } = connection;
  const none = `none: it refuses every webhook. To add one: ${firstSecretOf(command, connection)}`;
  const shown = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return [
    connectionId,
    `  platform          ${platforms[platform].title}`,
    `  address           ${hookUrl(deployment.apiUrl, connection)}`,
    `  created           ${createdAt}`,
    ...(shown.length > 0 ? [`  settings          ${shown.join(', ')}`] : []),
    `  secrets           ${secrets === 0 ? none : String(secrets).replaceAll('\n', `\n${' '.repeat(20)}`)}`,
    `  waiting webhooks  ${waiting}`,
  ].join('\n');
}

type Named = Pick<Connection, 'connectionId' | 'platform'>;

function firstSecretOf(command: Subject, { connectionId, platform }: Named, keyId = 'KEY'): string {
  const key = platforms[platform].secretOrigin === 'given-with-id' ? ` --key-id ${shellQuote(keyId)}` : '';
  return commandOf(command, 'rotate', `--connection ${connectionId}${key}`);
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
