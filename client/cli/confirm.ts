import confirm from '@inquirer/confirm';
import { type Cli, canAsk } from './cli.ts';
import { usageProblem } from './problems.ts';

/** Asks before something is deleted. Without a terminal, throws: `--yes` must have skipped the question. */
export async function isConfirmed(cli: Cli, message: string): Promise<boolean> {
  if (!canAsk(cli))
    throw usageProblem('Without a terminal, the command cannot ask for confirmation.', 'Add --yes to delete.');
  return confirm({ message, default: false }, { input: cli.stdin, output: cli.stderr, signal: cli.signal });
}
