import * as z from 'zod/mini';
import { type Stage, stageNames } from '../../../infra/stages.ts';
import { Identifier } from '../../../shared/contracts/fields.ts';
import { OrganizationId } from '../../../shared/contracts/organization.ts';
import { readOperatorCommand } from '../../shared/command-line.ts';
import { UserError } from '../../shared/user-error.ts';
import type { Person } from '../erasure/find-person.ts';
import { readTarget, type Target } from '../target.ts';
import type { SecretAge } from './secrets.ts';

/** The text of `--help`. */
export const usage = `npm run organization -- <command> --stage <${stageNames.join('|')}>

Manages the organizations of a stage: clients of its user pool, which get tokens from it. Uses the credentials
and the region of the AWS CLI.

  create NAME                  creates an organization; prints its id, its secret, a login and a first call
  list                         lists all organizations, and those that were deleted
  rotate NAME                  adds a second secret; the first secret stays valid
  rotate NAME --drop old|new   ends a rotation: deletes one of the two secrets
  delete NAME --yes            removes the organization's access permanently; keeps its data
  erase NAME                   counts what erasing the organization's data would remove; fails if there is none
  erase NAME --yes             removes the data permanently; you can run it again after a crash
  erase NAME --check           after an erasure: fails if there is any data
    --participant-id ID        erases only the person who had this id in sessions of NAME
    --external-id ID           erases only the person who had this external id; with both options, everyone who
                               had either id. Transcripts of their sessions are kept and listed.
    --data-dir DIR             the data directory of a running npm start, instead of --stage
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
  | ({ readonly stage: Stage } & (
      | { readonly action: 'list' }
      | { readonly action: 'create' | 'rotate'; readonly name: string }
      | { readonly action: 'drop'; readonly name: string; readonly age: SecretAge }
      | { readonly action: 'delete'; readonly name: string }
    ));

const options = {
  'participant-id': { type: 'string' },
  'external-id': { type: 'string' },
  drop: { type: 'string' },
  yes: { type: 'boolean', default: false },
  check: { type: 'boolean', default: false },
} as const;

/** Reads the command line. Throws a `UserError` for a missing, unknown or superfluous argument. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = readOperatorCommand(args, options, usage);
  if (values.help) return { action: 'help' };
  const [action, name, ...rest] = positionals;
  if (values['data-dir'] !== undefined && action !== 'erase') throw usageError('Use --data-dir only with erase.');
  const target = readTarget(values);
  if (rest.length > 0) throw usageError(`Too many arguments: "${rest.join(' ')}".`);
  if (values.drop !== undefined && action !== 'rotate') throw usageError('Use --drop only with rotate.');
  if (values.yes && action !== 'delete' && action !== 'erase')
    throw usageError('Use --yes only with delete and erase.');
  const person = personOf(values);
  if (person && action !== 'erase') throw usageError('Use --participant-id and --external-id only with erase.');
  if (values.check && action !== 'erase') throw usageError('Use --check only with erase.');
  if (action === 'erase') return { action, name: checkedName(name), target, person, mode: eraseModeOf(values) };
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

function commandOn(
  action: 'create' | 'rotate' | 'delete',
  name: string,
  { drop, yes }: { drop?: string; yes: boolean },
) {
  if (action === 'delete' && !yes) {
    throw new UserError(
      `Deleting ${name} removes its access permanently. If you create an organization with the same name again, it has ` +
        'another id and none of the data. To confirm, add --yes.',
    );
  }
  if (action !== 'rotate' || drop === undefined) return { action, name };
  if (drop !== 'old' && drop !== 'new') throw usageError(`--drop must be old or new, not "${drop}".`);
  const age: SecretAge = drop;
  return { action: 'drop' as const, name, age };
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
