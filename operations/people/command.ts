import { Argument, Option } from 'commander';
import * as z from 'zod/mini';
import { type Role, roles } from '#shared/contracts/organization/person.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { type Commands, onStage, type StageOptions } from '../organization/command.ts';
import { addPerson, listPeople, removePerson } from './manage.ts';

/** Adds the commands on the people of an organization. */
export function addPeopleCommands({ program, dependencies, printing }: Commands): void {
  const people = program
    .command('people')
    .description('Adds, lists and removes the people who may log in to the console of the stage.')
    .helpCommand(false);
  onStage(people, 'add', 'Invites a person to the console of the stage, or changes the role of one.')
    .addArgument(email())
    .addOption(new Option('--role <role>', 'what the person may do').choices(roles).makeOptionMandatory())
    .action(
      printing((name: string, address: string, { stage, role }: StageOptions & { role: Role }) =>
        addPerson({ stage, name, email: address, role }, dependencies),
      ),
    );
  onStage(people, 'list', 'Lists the people of an organization, with their roles.').action(
    printing((name: string, { stage }: StageOptions) => listPeople({ stage, name }, dependencies)),
  );
  onStage(people, 'remove', 'Signs a person out and removes them.')
    .addArgument(email())
    .action(
      printing((name: string, address: string, { stage }: StageOptions) =>
        removePerson({ stage, name, email: address }, dependencies),
      ),
    );
}

/** The pool does not distinguish case, so a person has one spelling. */
function email(): Argument {
  return new Argument('<e-mail>', 'the address of the person').argParser((address: string) => {
    if (z.email().safeParse(address).success) return address.toLowerCase();
    throw new UserError(`"${address}" is not an e-mail address.`);
  });
}
