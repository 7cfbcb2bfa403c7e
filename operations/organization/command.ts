import { Argument, type Command } from 'commander';
import type { Stage } from '#infra/settings/stages.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { dataDirOption, stageOption } from '../target.ts';
import type { Dependencies } from './scope.ts';

/** What a command of `npm run organization` is added to, and what it works with. */
export type Commands = {
  readonly program: Command;
  readonly dependencies: Dependencies;
  /** Makes an action of a function that returns the text to print. */
  readonly printing: <Args extends unknown[]>(
    work: (...args: Args) => Promise<string>,
  ) => (...args: Args) => Promise<void>;
};

/** The values of the options of a command that `onStage` adds. */
export type StageOptions = { readonly stage: Stage };

/** Adds a command on an organization of a stage. */
export function onStage(parent: Command, name: string, description: string): Command {
  const command = parent.command(name).description(description).addArgument(organization());
  return command.addOption(stageOption().makeOptionMandatory());
}

/** Adds a command on an organization of a stage or of a running `npm start`. */
export function onDeployment(parent: Command, name: string, description: string): Command {
  const command = parent.command(name).description(description).addArgument(organization());
  return command.addOption(stageOption()).addOption(dataDirOption());
}

function organization(): Argument {
  return new Argument('<name>', 'the name or the id of an organization').argParser((name: string) => {
    const { success, data, error } = OrganizationId.safeParse(name);
    if (success) return data;
    throw new UserError(`The name of an organization ${error.issues[0]?.message}, not "${name}".`);
  });
}
