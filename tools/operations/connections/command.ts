import * as z from 'zod/mini';
import {
  ConnectionId,
  type ConnectionSettings,
  type PlatformName,
  platformNames,
} from '../../../shared/contracts/connection.ts';
import type { Platform } from '../../../shared/platforms/platform.ts';
import { platforms } from '../../../shared/platforms/platforms.ts';
import { UserError } from '../../shared/user-error.ts';
import type { SecretAge } from '../organization/secrets.ts';
import type { Target } from '../target.ts';

/** How the secret of a platform is given: its id, if it has one, and whether standard input has its value. */
type Given = { readonly keyId?: string | undefined; readonly secretFromStdin: boolean };

/** A parsed command on the connections of an organization. */
export type ConnectionCommand = { readonly name: string; readonly target: Target } & (
  | ({
      readonly action: 'connect';
      readonly platform: PlatformName;
      readonly settings: ConnectionSettings;
    } & Given)
  | { readonly action: 'connections' }
  | ({ readonly action: 'rotate connection'; readonly connectionId: string } & Given)
  | { readonly action: 'drop connection secret'; readonly connectionId: string; readonly age: SecretAge }
  | { readonly action: 'disconnect'; readonly connectionId: string }
  | {
      readonly action: 'replay';
      readonly connectionId: string;
      readonly from?: Date | undefined;
      readonly to?: Date | undefined;
    }
  | { readonly action: 'close-session'; readonly roomSessionId: string; readonly at?: string | undefined }
);

/** The command with this action. */
export type CommandOf<Action extends ConnectionCommand['action']> = Extract<ConnectionCommand, { action: Action }>;

/** The commands of `npm run organization` that are only on connections and their sessions. `rotate --connection` is one, too. */
export const connectionActions = ['connect', 'connections', 'disconnect', 'replay', 'close-session'] as const;

const parsedActions = [...connectionActions, 'rotate connection', 'drop connection secret'] as const;

/** True for a command on the connections of an organization. */
export function isConnectionCommand<Other extends { readonly action: string }>(
  command: Other | ConnectionCommand,
): command is ConnectionCommand {
  return parsedActions.some((action) => action === command.action);
}

/** The options of these commands. */
export const connectionOptions = {
  connection: { type: 'string' },
  set: { type: 'string', multiple: true },
  'key-id': { type: 'string' },
  'secret-stdin': { type: 'boolean', default: false },
  from: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string' },
} as const;

/** The values of `connectionOptions`. */
export type ConnectionValues = {
  readonly connection?: string | undefined;
  readonly set?: readonly string[] | undefined;
  readonly 'key-id'?: string | undefined;
  readonly 'secret-stdin': boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly at?: string | undefined;
};

/** What a command on connections is about. */
type Scope = { readonly name: string; readonly target: Target };

/** Reads `connect NAME PLATFORM`. Throws a `UserError` that lists the platforms, or the settings of the platform. */
export function readConnect(
  scope: Scope,
  platformName: string | undefined,
  values: ConnectionValues,
): ConnectionCommand {
  const platform = platformNames.find((name) => name === platformName);
  if (platform === undefined) {
    const problem = platformName === undefined ? 'No platform given.' : `There is no platform "${platformName}".`;
    throw new UserError(`${problem} The platforms are ${platformNames.join(', ')}.`);
  }
  const settings = settingsOf(platform, values.set ?? []);
  return { ...scope, action: 'connect', platform, settings, ...givenTo(platform, values) };
}

/** Reads `rotate NAME --connection ID`. */
export function readRotation(
  scope: Scope,
  connection: string | undefined,
  age: SecretAge | undefined,
  values: ConnectionValues,
): ConnectionCommand {
  const connectionId = idOf(connection);
  if (age === undefined) return { ...scope, action: 'rotate connection', connectionId, ...given(values) };
  if (values['key-id'] !== undefined || values['secret-stdin'])
    throw new UserError('Use --key-id and --secret-stdin without --drop: it takes no new secret.');
  return { ...scope, action: 'drop connection secret', connectionId, age };
}

/** Reads `disconnect NAME CONNECTION`. */
export function readDisconnect(scope: Scope, connection: string | undefined, isConfirmed: boolean): ConnectionCommand {
  const connectionId = idOf(connection);
  if (!isConfirmed)
    throw new UserError(
      `Disconnecting ${connectionId} refuses its webhooks from then on, and removes its secrets. A new connection has another ` +
        'address. To confirm, add --yes.',
    );
  return { ...scope, action: 'disconnect', connectionId };
}

/** Reads `replay NAME CONNECTION`. */
export function readReplay(scope: Scope, connection: string | undefined, values: ConnectionValues): ConnectionCommand {
  const connectionId = idOf(connection);
  const [from, to] = [timeOf('from', values.from), timeOf('to', values.to)];
  if (from && to && from > to) throw new UserError('--from must not be later than --to.');
  return { ...scope, action: 'replay', connectionId, from, to };
}

/** Reads `close-session NAME SESSION`. */
export function readCloseSession(
  scope: Scope,
  roomSessionId: string | undefined,
  { at }: ConnectionValues,
): ConnectionCommand {
  if (roomSessionId === undefined) throw new UserError('No session given. Insights show the roomSessionId of each.');
  return { ...scope, action: 'close-session', roomSessionId, at };
}

function idOf(connection: string | undefined): string {
  if (connection === undefined) throw new UserError('No connection given. The command connections lists the ids.');
  if (ConnectionId.safeParse(connection).success) return connection;
  throw new UserError(`"${connection}" is not the id of a connection. The command connections lists the ids.`);
}

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function timeOf(flag: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (isoTime.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new UserError(`--${flag} must be a date or a time with a zone, such as 2026-11-23T09:00:00Z, not "${text}".`);
}

function given(values: ConnectionValues): Given {
  return { keyId: values['key-id'], secretFromStdin: values['secret-stdin'] };
}

function givenTo(platform: PlatformName, values: ConnectionValues): Given {
  assertGiven(platforms[platform], given(values));
  return given(values);
}

/** Throws a `UserError` if an option for secrets does not fit the platform. */
export function assertGiven({ title, secretOrigin }: Platform, { keyId, secretFromStdin }: Given): void {
  if (secretOrigin === 'generated' && secretFromStdin)
    throw new UserError(`Use no --secret-stdin with ${title}: this command makes the secret and prints it.`);
  if (secretOrigin === 'given-with-id' && (keyId === undefined || !/^[\x21-\x7e]{1,200}$/.test(keyId)))
    throw new UserError(`${title} signs with an API key. Give the key with --key-id. The command asks for its secret.`);
  if (secretOrigin !== 'given-with-id' && keyId !== undefined)
    throw new UserError(`Use no --key-id with ${title}: its secrets have no ids.`);
}

function settingsOf(platform: PlatformName, given: readonly string[]): ConnectionSettings {
  const pairs = given.map((text) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined) throw new UserError(`--set must be NAME=VALUE, not "${text}".`);
    return [name, value] as const;
  });
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UserError(`--set gives ${twice} more than once.`);
  const { title, settings } = platforms[platform];
  const result = z.safeParse(settings, Object.fromEntries(pairs));
  if (result.success) return Object.fromEntries(pairs);
  const allowed = settingNames(settings);
  const known =
    allowed.length === 0 ? `${title} has no settings.` : `The settings of ${title} are ${allowed.join(', ')}.`;
  const problems = result.error.issues.map(({ code, path, message, ...issue }) =>
    code === 'unrecognized_keys' && 'keys' in issue
      ? `There is no setting ${(issue.keys as readonly string[]).join(', ')}.`
      : `The setting ${path.join('.')} is not valid: ${message}.`,
  );
  throw new UserError([...problems, known].join('\n'));
}

function settingNames(settings: z.ZodMiniType): readonly string[] {
  return settings instanceof z.ZodMiniObject ? Object.keys(settings.shape) : [];
}
