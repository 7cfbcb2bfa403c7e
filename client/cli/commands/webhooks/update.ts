import { type Command, Option } from 'commander';
import type { UpdateWebhook } from '../../../types.ts';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';
import { usageProblem } from '../../problems.ts';
import { describingOptions, typesOption, type WebhookFlags } from './fields.ts';
import { webhookDetails } from './show.ts';

type Flags = WebhookFlags & { readonly url?: string; readonly enable?: true; readonly disable?: true };

const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';

/** Adds `webhooks update`. */
export function addUpdate(parent: Command, cli: Cli): void {
  const command = parent
    .command('update')
    .description('Change a webhook, or enable or disable it. What is left out stays.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'))
    .option('--url <url>', 'The https address of your receiver.')
    .addOption(typesOption('The types that it gets, with commas between them, or all.', { all: true }));
  for (const option of describingOptions()) command.addOption(option);
  command
    .addOption(new Option('--enable', 'Enable it.').conflicts('disable'))
    .addOption(new Option('--disable', 'Disable it: nothing is sent to it.').conflicts('enable'))
    .addHelpText('after', examples(`$ roomscribe webhooks update ${id} \\`, '    --types all --enable'))
    .action(async (webhookId: string, flags: Flags) => {
      const output = outputOf(cli, command);
      const webhook = await withClient(cli, command, ({ webhooks }) =>
        webhooks.update(webhookId, changesOf(flags), { signal: cli.signal }),
      );
      output.print(webhook, () => webhookDetails(webhook));
    });
}

function changesOf({ types, enable, disable, ...others }: Flags): UpdateWebhook {
  const changes: UpdateWebhook = {
    ...others,
    ...(types && { types: types.length > 0 ? [...types] : null }),
    ...(enable && { state: 'enabled' }),
    ...(disable && { state: 'disabled' }),
  };
  if (Object.keys(changes).length > 0) return changes;
  throw usageProblem('There is nothing to change.', 'Add an option. For help, add --help.');
}
