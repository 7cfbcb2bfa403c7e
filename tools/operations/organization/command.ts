import * as z from 'zod/mini';
import { type Stage, stageNames } from '../../../infra/stages.ts';
import { platformNames } from '../../../shared/contracts/connection.ts';
import { Identifier } from '../../../shared/contracts/fields.ts';
import { OrganizationId } from '../../../shared/contracts/organization.ts';
import { readOperatorCommand } from '../../shared/command-line.ts';
import { UserError } from '../../shared/user-error.ts';
import {
  type ConnectionCommand,
  type ConnectionValues,
  connectionActions,
  connectionOptions,
  readCloseSession,
  readConnect,
  readDisconnect,
  readReplay,
  readRotation,
} from '../connections/command.ts';
import type { Person } from '../erasure/find-person.ts';
import { type PeopleCommand, readPeopleCommand } from '../people/command.ts';
import { readTarget, type Target } from '../target.ts';
import { readWebhookCommand, type WebhookCommand, webhookActions } from '../webhooks/command.ts';
import { type DefaultsCommand, readDefaults } from './defaults.ts';
import type { DeleteCommand } from './delete.ts';
import type { SecretAge } from './secrets.ts';

/** The text of `--help`. */
export const usage = `npm run organization -- <command> --stage <${stageNames.join('|')}>

Manages the organizations of a stage: clients of its user pool, which get tokens from it. Uses the credentials
and the region of the AWS CLI.

  create NAME                  creates an organization; prints its id, its secret, a login and a first call
  list                         lists all organizations, and those that were deleted
  rotate NAME                  adds a second secret; the first secret stays valid
  rotate NAME --drop old|new   ends a rotation: deletes one of the two secrets
  delete NAME --yes            removes the organization's access, people, connections and webhooks permanently; keeps its data
  erase NAME                   counts what erasing the organization's data would remove; fails if there is none
  erase NAME --yes             removes the data permanently; you can run it again after a crash
  erase NAME --check           after an erasure: fails if there is any data
    --participant-id ID        erases only the person who had this id in sessions of NAME
    --external-id ID           erases only the person who had this external id; with both options, everyone who
                               had either id. Transcripts of their sessions lose what they are known to have said,
                               and are listed.
  defaults NAME                shows which options its transcriptions have by default
    --set OPTION=VALUE         changes one, as in --set language=en-US; can be given several times. Without a value,
                               as in --set language=, removes it. Lists have commas; a filter is NAME:METHOD
    --clear                    removes all
  connect NAME PLATFORM        connects a platform (${platformNames.join(', ')});
                               prints its address and the lines for its configuration
    --set NAME=VALUE           a setting of the connection; can be given several times
    --key-id ID                the id of the API key that the platform signs with
    --secret-stdin             reads the secret of the platform from standard input instead of asking for it
  connections NAME             lists the connections, how many secrets each has, and how many webhooks wait
  rotate NAME --connection ID  adds a secret to a connection: its first one, or a second one beside it
  rotate NAME --connection ID --drop old|new
                               ends the rotation of a connection
  disconnect NAME ID --yes     removes a connection; its webhooks are refused from then on
  replay NAME ID               translates the stored webhooks of a connection again
    --from TIME, --to TIME     only those that arrived between these times
  webhooks NAME                lists the webhooks to which notices are sent, and how their deliveries go
  remove-webhook NAME ID --yes removes a webhook; nothing is sent to it from then on
  people add NAME E-MAIL --role reader|editor
                               invites a person to the console of the stage, or changes the role of one
  people list NAME             lists the people of an organization, with their roles
  people remove NAME E-MAIL    signs a person out and removes them
  close-session NAME SESSION   ends a session that its platform did not end; insights mark it as inferred
    --at TIME                  when it ended; by default at its latest event
  --data-dir DIR               the data directory of a running npm start, instead of --stage: for erase, defaults,
                               webhooks, remove-webhook, connect, connections, rotate --connection, disconnect, replay and
                               close-session
  --help                       shows this text

NAME is the name or the id of an organization.`;

/** Whether an erasure only counts the data, removes them (`--yes`), or fails if there are any (`--check`). */
export type EraseMode = 'count' | 'remove' | 'check';

/** Erases an organization, or one person of it. */
export type EraseCommand = {
  readonly action: 'erase';
  readonly name: string;
  readonly target: Target;
  readonly person?: Person | undefined;
  readonly mode: EraseMode;
};

/** A parsed command line of `npm run organization`. */
export type Command =
  | { readonly action: 'help' }
  | EraseCommand
  | ConnectionCommand
  | DefaultsCommand
  | DeleteCommand
  | PeopleCommand
  | WebhookCommand
  | ({ readonly stage: Stage } & (
      | { readonly action: 'list' }
      | { readonly action: 'create' | 'rotate'; readonly name: string }
      | { readonly action: 'drop'; readonly name: string; readonly age: SecretAge }
    ));

const options = {
  ...connectionOptions,
  'participant-id': { type: 'string' },
  'external-id': { type: 'string' },
  drop: { type: 'string' },
  role: { type: 'string' },
  yes: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
  clear: { type: 'boolean', default: false },
} as const;

type Values = ConnectionValues & {
  readonly 'participant-id'?: string;
  readonly 'external-id'?: string;
  readonly drop?: string;
  readonly role?: string;
  readonly yes: boolean;
  readonly check: boolean;
  readonly clear: boolean;
};

/** The commands with an argument after the name of the organization. */
const takesArgument = ['connect', 'disconnect', 'replay', 'close-session', 'remove-webhook'];
/** The commands that also work on a running npm start, beside those on connections. */
const runsOnOneMachine: readonly string[] = ['erase', 'defaults', ...webhookActions];

/** Reads the command line. Throws a `UserError` for a missing, unknown or superfluous argument. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = readOperatorCommand(args, options, usage);
  if (values.help) return { action: 'help' };
  const [action, name, ...rest] = positionals;
  const isOfConnection = connectionActions.some((known) => known === action) || values.connection !== undefined;
  if (values['data-dir'] !== undefined && !runsOnOneMachine.includes(String(action)) && !isOfConnection)
    throw usageError('Use --data-dir only with erase, defaults and the commands on connections and webhooks.');
  const target = readTarget(values);
  if (action === 'people') return commandOnPeople(name, rest, target, values);
  const superfluous = rest.slice(takesArgument.includes(String(action)) ? 1 : 0);
  if (superfluous.length > 0) throw usageError(`Too many arguments: "${superfluous.join(' ')}".`);
  assertOptionsFit(action, values);
  const person = personOf(values);
  if (person && action !== 'erase') throw usageError('Use --participant-id and --external-id only with erase.');
  if (action === 'erase') return { action, name: checkedName(name), target, person, mode: eraseModeOf(values) };
  if (action === 'defaults') return readDefaults({ name: checkedName(name), target }, values);
  const webhookAction = webhookActions.find((known) => known === action);
  if (webhookAction) return readWebhookCommand({ name: checkedName(name), target }, webhookAction, rest[0], values.yes);
  if (isOfConnection) return commandOnConnections(action, { name: checkedName(name), target }, rest[0], values);
  if ('dataDir' in target) throw usageError('No stage given.');
  const { stage } = target;
  if (action === 'list') {
    if (name !== undefined) throw usageError(`Too many arguments: "${name}".`);
    return { action, stage };
  }
  if (action !== 'create' && action !== 'rotate' && action !== 'delete') {
    throw usageError(action === undefined ? 'No command given.' : `There is no command "${action}".`);
  }
  return { stage, ...commandOn(action, checkedName(name), values) };
}

/** Throws a `UserError` for an option that the command does not have. */
function assertOptionsFit(action: string | undefined, values: Values): void {
  const fits: readonly (readonly [keyof Values, readonly string[], string])[] = [
    ['drop', ['rotate'], 'rotate'],
    ['yes', ['delete', 'erase', 'disconnect', 'remove-webhook'], 'delete, erase, disconnect and remove-webhook'],
    ['check', ['erase'], 'erase'],
    ['role', ['people'], 'people add'],
    ['connection', ['rotate'], 'rotate'],
    ['set', ['connect', 'defaults'], 'connect and defaults'],
    ['clear', ['defaults'], 'defaults'],
    ['key-id', ['connect', 'rotate'], 'connect and rotate --connection'],
    ['secret-stdin', ['connect', 'rotate'], 'connect and rotate --connection'],
    ['from', ['replay'], 'replay'],
    ['to', ['replay'], 'replay'],
    ['at', ['close-session'], 'close-session'],
  ];
  for (const [option, actions, names] of fits) {
    const isGiven = values[option] !== undefined && values[option] !== false;
    if (isGiven && !actions.includes(String(action))) throw usageError(`Use --${option} only with ${names}.`);
  }
  const isPlainRotation = action === 'rotate' && values.connection === undefined;
  if (isPlainRotation && (values['key-id'] !== undefined || values['secret-stdin']))
    throw usageError('Use --key-id and --secret-stdin only with connect and rotate --connection.');
}

function commandOnPeople(
  task: string | undefined,
  [name, address, ...superfluous]: readonly string[],
  target: Target,
  values: Values,
): PeopleCommand {
  if ('dataDir' in target) throw usageError('No stage given.');
  if (superfluous.length > 0) throw usageError(`Too many arguments: "${superfluous.join(' ')}".`);
  assertOptionsFit('people', values);
  if (personOf(values)) throw usageError('Use --participant-id and --external-id only with erase.');
  return readPeopleCommand({ stage: target.stage, name: checkedName(name) }, task, address, values.role);
}

function commandOnConnections(
  action: string | undefined,
  scope: { readonly name: string; readonly target: Target },
  argument: string | undefined,
  values: Values,
): ConnectionCommand {
  switch (action) {
    case 'connect':
      return readConnect(scope, argument, values);
    case 'disconnect':
      return readDisconnect(scope, argument, values.yes);
    case 'replay':
      return readReplay(scope, argument, values);
    case 'close-session':
      return readCloseSession(scope, argument, values);
    case 'connections':
      return { ...scope, action };
    default:
      return readRotation(scope, values.connection, ageOf(values.drop), values);
  }
}

function ageOf(drop: string | undefined): SecretAge | undefined {
  if (drop === undefined || drop === 'old' || drop === 'new') return drop;
  throw usageError(`--drop must be old or new, not "${drop}".`);
}

function commandOn(
  action: 'create' | 'rotate' | 'delete',
  name: string,
  { drop, yes }: { drop?: string; yes: boolean },
) {
  if (action === 'delete') return { action, name, isConfirmed: yes } as const;
  const age = ageOf(drop);
  return action !== 'rotate' || age === undefined ? { action, name } : { action: 'drop' as const, name, age };
}

function eraseModeOf({ yes, check }: { yes: boolean; check: boolean }): EraseMode {
  if (yes && check) throw usageError('Use either --yes or --check, not both.');
  if (yes) return 'remove';
  return check ? 'check' : 'count';
}

function personOf(values: { 'participant-id'?: string; 'external-id'?: string }): Person | undefined {
  const { 'participant-id': participantId, 'external-id': externalId } = values;
  for (const id of [participantId, externalId]) {
    const parsed = z.safeParse(z.optional(Identifier), id);
    if (!parsed.success) throw usageError(`The id of a person ${parsed.error.issues[0]?.message}.`);
  }
  return participantId === undefined && externalId === undefined ? undefined : { participantId, externalId };
}

function checkedName(name: string | undefined): string {
  if (name === undefined) throw usageError('No organization given.');
  const parsed = OrganizationId.safeParse(name);
  if (!parsed.success)
    throw usageError(`The name of an organization ${parsed.error.issues[0]?.message}, not "${name}".`);
  return parsed.data;
}

function usageError(problem: string): UserError {
  return new UserError(`${problem}\n\n${usage}`);
}
