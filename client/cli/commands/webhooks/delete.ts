import type { Command } from 'commander';
import { type Cli, outputOf } from '../../cli.ts';
import { isConfirmed } from '../../confirm.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';

/** Adds `webhooks delete`. */
export function addDelete(parent: Command, cli: Cli): void {
  const command = parent
    .command('delete')
    .description('Delete a webhook. What waits for it is not delivered.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'))
    .option('-y, --yes', 'Delete without asking.');
  command
    .addHelpText('after', examples('$ roomscribe webhooks delete 9226ec25-8833-431d-82bc-05dbfd0728fb'))
    .action(async (webhookId: string, { yes }: { yes?: boolean }) => {
      const output = outputOf(cli, command);
      if (!yes && !(await isConfirmed(cli, `Delete webhook ${webhookId} permanently?`))) {
        output.note('Nothing was deleted.');
        return;
      }
      await withClient(cli, command, ({ webhooks }) => webhooks.delete(webhookId, { signal: cli.signal }));
      output.print({ webhookId }, () => '');
      output.note('Deleted.');
    });
}
