import * as z from 'zod/mini';
import type { Stage } from '../../../infra/stages.ts';
import { isRole, type Role, roles } from '../../../shared/contracts/person.ts';
import { UserError } from '../../shared/user-error.ts';

/** A parsed command on the people of an organization. */
export type PeopleCommand = {
  readonly action: 'people';
  readonly stage: Stage;
  /** The name or the id of the organization. */
  readonly name: string;
} & (
  | { readonly task: 'list' }
  | { readonly task: 'add'; readonly email: string; readonly role: Role }
  | { readonly task: 'remove'; readonly email: string }
);

/** What the command can do. */
export const peopleTasks = ['add', 'list', 'remove'] as const;

/** Reads `people add NAME E-MAIL --role ROLE`, `people list NAME` and `people remove NAME E-MAIL`. Throws a `UserError`. */
export function readPeopleCommand(
  { stage, name }: Pick<PeopleCommand, 'stage' | 'name'>,
  task: string | undefined,
  address: string | undefined,
  role: string | undefined,
): PeopleCommand {
  const action = 'people';
  if (task !== 'add' && role !== undefined) throw new UserError('Use --role only with people add.');
  switch (task) {
    case 'list':
      if (address !== undefined) throw new UserError(`Too many arguments: "${address}".`);
      return { action, stage, name, task };
    case 'add':
      return { action, stage, name, task, email: checkedEmail(address), role: checkedRole(role) };
    case 'remove':
      return { action, stage, name, task, email: checkedEmail(address) };
    default: {
      const problem = task === undefined ? 'No command for people given.' : `There is no command "people ${task}".`;
      throw new UserError(`${problem} The commands are people ${peopleTasks.join(', people ')}.`);
    }
  }
}

function checkedRole(role: string | undefined): Role {
  if (isRole(role)) return role;
  throw new UserError(
    `${role === undefined ? 'No role given.' : `There is no role "${role}".`} Use --role ${roles.join(' or --role ')}.`,
  );
}

/** The pool does not distinguish case, so a person has one spelling. */
function checkedEmail(address: string | undefined): string {
  if (address === undefined) throw new UserError('No e-mail address given.');
  if (z.email().safeParse(address).success) return address.toLowerCase();
  throw new UserError(`"${address}" is not an e-mail address.`);
}
