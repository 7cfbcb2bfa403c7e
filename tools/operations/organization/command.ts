import * as z from 'zod/mini';
import { type Stage, stageNames } from '../../../infra/stages.ts';
import { Identifier } from '../../../shared/contracts/fields.ts';
import { OrganizationId } from '../../../shared/contracts/organization.ts';
import { readCommandLine } from '../../shared/command-line.ts';
import { UserError } from '../../shared/user-error.ts';
import type { Person } from '../erasure/find-person.ts';
import { type Where, whereOf } from '../where.ts';
import type { SecretAge } from './clients.ts';

/** What `--help` shows. */
export const usage = `npm run organization -- <command> --stage <${stageNames.join('|')}>

Manages who gets tokens of a stage's user pool. AWS credentials and region are those of the AWS CLI.

  create NAME                  make an organization; prints its id, its secret, a login and a first call
  list                         show all
  rotate NAME                  give it a second secret; the first one stays good
  rotate NAME --drop old|new   end a rotation: take one of the two secrets away
  delete NAME --yes            take its access away, for good; its data stay
  erase NAME                   says what erasing all of its data would remove
  erase NAME --yes             removes it, for good; may be run again after a crash
    --participant-id ID        only the person who had this id in sessions of NAME,
    --external-id ID           or this one; transcripts of their sessions stay, and are named
    --data-dir DIR             instead of --stage: the data directory of a running npm start
  --help                       show this

NAME is the organization's name, or its id.`;

/** To erase an organization, or a person of it, of a stage or of a running `npm start`; `isMeant` once `--yes` is given. */
export type EraseCommand = {
  readonly action: 'erase';
  readonly name: string;
  readonly where: Where;
  readonly person?: Person | undefined;
  readonly isMeant: boolean;
};

/** What `npm run organization` was asked for. */
export type Command =
  | { readonly action: 'help' }
  | EraseCommand
  | ({ readonly stage: Stage } & (
      | { readonly action: 'list' }
      | { readonly action: 'create' | 'rotate'; readonly name: string }
      | { readonly action: 'drop'; readonly name: string; readonly age: SecretAge }
      | { readonly action: 'delete'; readonly name: string }
    ));

/** Reads the command line; whatever is missing, unknown or too much is a problem that says so. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { action: 'help' };
  const [action, name, ...rest] = positionals;
  if (values['data-dir'] !== undefined && action !== 'erase') throw misuse('--data-dir belongs to erase.');
  const where = whereOf(values);
  if (rest.length > 0) throw misuse(`What is ${rest.join(' ')}?`);
  if (values.drop !== undefined && action !== 'rotate') throw misuse('--drop belongs to rotate.');
  if (values.yes && action !== 'delete' && action !== 'erase') throw misuse('--yes belongs to delete and erase.');
  const person = personOf(values);
  if (person && action !== 'erase') throw misuse('--participant-id and --external-id belong to erase.');
  if (action === 'erase') return { action, name: checkedName(name), where, person, isMeant: values.yes };
  if ('dataDir' in where) throw misuse('Which stage?');
  const { stage } = where;
  if (action === 'list' && name === undefined) return { action, stage };
  if (action !== 'create' && action !== 'rotate' && action !== 'delete') {
    throw misuse(action === undefined ? 'Which command?' : `There is no command ${positionals.join(' ')}.`);
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
      `To delete ${name} takes its access away for good: one that is created again under the name has another id and ` +
        'none of its data. Add --yes if that is meant.',
    );
  }
  if (action !== 'rotate' || drop === undefined) return { action, name };
  if (drop !== 'old' && drop !== 'new') throw misuse(`--drop takes old or new, not "${drop}".`);
  const age: SecretAge = drop;
  return { action: 'drop' as const, name, age };
}

function personOf(values: { 'participant-id'?: string; 'external-id'?: string }): Person | undefined {
  const { 'participant-id': participantId, 'external-id': externalId } = values;
  for (const id of [participantId, externalId]) {
    const parsed = z.safeParse(z.optional(Identifier), id);
    if (!parsed.success) throw misuse(`The id of a person ${parsed.error.issues[0]?.message}.`);
  }
  return participantId === undefined && externalId === undefined ? undefined : { participantId, externalId };
}

function checkedName(name: string | undefined): string {
  if (name === undefined) throw misuse('Which organization?');
  const parsed = OrganizationId.safeParse(name);
  if (!parsed.success) throw misuse(`The name of an organization ${parsed.error.issues[0]?.message}, not "${name}".`);
  return parsed.data;
}

function misuse(problem: string): UserError {
  return new UserError(`${problem}\n\n${usage}`);
}

function parse(args: readonly string[]) {
  return readCommandLine(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        stage: { type: 'string' },
        'data-dir': { type: 'string' },
        'participant-id': { type: 'string' },
        'external-id': { type: 'string' },
        drop: { type: 'string' },
        yes: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    usage,
  );
}
