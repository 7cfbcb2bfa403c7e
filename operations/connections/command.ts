import { Argument } from 'commander';
import * as z from 'zod/mini';
import {
  ConnectionId,
  type ConnectionSettings,
  type PlatformName,
  platformNames,
} from '#shared/contracts/platforms/connection.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { RepeatableOption } from '#tools/shared/command-line.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { closeSession } from '../organization/close-session.ts';
import { type Commands, onDeployment } from '../organization/command.ts';
import { findScope } from '../organization/scope.ts';
import { readTarget, type TargetOptions } from '../target.ts';
import { connect, disconnect, listConnections } from './manage.ts';
import { assertGiven, type Given } from './new-secret.ts';
import { replay } from './replay.ts';

/** Adds the commands on the connections of an organization and their sessions. `rotate --connection` is one, too. */
export function addConnectionCommands(commands: Commands): void {
  addConnect(commands);
  addConnections(commands);
  addDisconnect(commands);
  addReplay(commands);
  addCloseSession(commands);
}

function addConnect({ program, dependencies, printing }: Commands): void {
  type Options = TargetOptions & Given & { set?: ConnectionSettings };
  onDeployment(program, 'connect', 'Connects a platform. Prints its address and the lines for its configuration.')
    .addArgument(new Argument('<platform>', 'the platform').choices(platformNames))
    .addOption(
      new RepeatableOption('--set <name=value>', 'a setting of the connection; can be given several times').argParser(
        withSetting,
      ),
    )
    .option('--key-id <id>', 'the id of the API key that the platform signs with')
    .option('--secret-stdin', 'read the secret of the platform from standard input instead of asking for it')
    .action(
      printing(async (name: string, platform: PlatformName, { set: settings = {}, ...options }: Options) => {
        const command = { ...options, name, target: readTarget(options), platform, settings };
        assertSettings(platform, settings);
        assertGiven(platform, command);
        return connect(command, await findScope(command, dependencies), dependencies);
      }),
    );
}

function addConnections({ program, dependencies, printing }: Commands): void {
  onDeployment(
    program,
    'connections',
    'Lists the connections, how many secrets each has, and how many webhooks wait.',
  ).action(
    printing(async (name: string, options: TargetOptions) => {
      const command = { name, target: readTarget(options) };
      return listConnections(command, await findScope(command, dependencies));
    }),
  );
}

function addDisconnect({ program, dependencies, printing }: Commands): void {
  onDeployment(program, 'disconnect', 'Removes a connection. Its webhooks are refused from then on.')
    .addArgument(connectionArgument())
    .option('--yes', 'confirm it')
    .action(
      printing(async (name: string, connectionId: string, { yes, ...options }: TargetOptions & { yes?: true }) => {
        if (!yes)
          throw new UserError(
            `Disconnecting ${connectionId} refuses its webhooks from then on, and removes its secrets. A new connection has another ` +
              'address. To confirm, add --yes.',
          );
        const command = { name, target: readTarget(options), connectionId };
        return disconnect(command, await findScope(command, dependencies));
      }),
    );
}

function addReplay({ program, dependencies, printing }: Commands): void {
  type Options = TargetOptions & { from?: Date; to?: Date };
  onDeployment(program, 'replay', 'Translates the stored webhooks of a connection again.')
    .addArgument(connectionArgument())
    .option('--from <time>', 'only those that arrived then or later', timeOf('--from'))
    .option('--to <time>', 'only those that arrived then or earlier', timeOf('--to'))
    .action(
      printing(async (name: string, connectionId: string, { from, to, ...options }: Options) => {
        if (from && to && from > to) throw new UserError('--from must not be later than --to.');
        const command = { name, target: readTarget(options), connectionId, from, to };
        return replay(command, await findScope(command, dependencies), dependencies);
      }),
    );
}

function addCloseSession({ program, dependencies, printing }: Commands): void {
  onDeployment(program, 'close-session', 'Ends a session that its platform did not end. Insights mark it as inferred.')
    .argument('<session>', 'the roomSessionId, which insights show')
    .option('--at <time>', 'when it ended; by default at its latest event')
    .action(
      printing(async (name: string, roomSessionId: string, { at, ...options }: TargetOptions & { at?: string }) => {
        const scope = await findScope({ name, target: readTarget(options) }, dependencies);
        return closeSession(scope.deployment, { organizationId: scope.organizationId, roomSessionId, at });
      }),
    );
}

function connectionArgument(): Argument {
  const description = 'the id of the connection, which the command connections lists';
  return new Argument('<connection>', description).argParser(connectionIdOf);
}

/** Reads the id of a connection. Throws a `UserError` for other text. */
export function connectionIdOf(text: string): string {
  if (ConnectionId.safeParse(text).success) return text;
  throw new UserError(`"${text}" is not the id of a connection. The command connections lists the ids.`);
}

const isoTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function timeOf(flag: string): (text: string) => Date {
  return (text) => {
    const time = new Date(text);
    if (isoTime.test(text) && !Number.isNaN(time.getTime())) return time;
    throw new UserError(`${flag} must be a date or a time with a zone, such as 2026-11-23T09:00:00Z, not "${text}".`);
  };
}

function withSetting(text: string, settings: ConnectionSettings = {}): ConnectionSettings {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new UserError(`--set must be NAME=VALUE, not "${text}".`);
  if (Object.hasOwn(settings, name)) throw new UserError(`--set gives ${name} more than once.`);
  return { ...settings, [name]: value };
}

function assertSettings(platform: PlatformName, given: ConnectionSettings): void {
  const { title, settings } = platforms[platform];
  const result = z.safeParse(settings, given);
  if (result.success) return;
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
