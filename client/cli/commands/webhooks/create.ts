import type { Command } from 'commander';
import { type Cli, nextCommand, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, optionOf } from '../../options.ts';
import { parameters } from '../../parameters.ts';
import { describingOptions, typesOption, type WebhookFlags } from './fields.ts';
import { webhookDetails } from './show.ts';

/** The warning below a secret. */
export const secretWarning = 'Store the secret where your receiver reads it. It is never shown again.';

/** Adds `webhooks create`. */
export function addCreate(parent: Command, cli: Cli): void {
  const command = parent
    .command('create')
    .description('Create a webhook, to which the service sends notices. Prints its secret, which is shown only now.')
    .argument('<url>', 'The https address of your receiver.')
    .addOption(typesOption('The types that it gets, with commas between them. Default: all.'));
  for (const option of [...describingOptions(), ...parameters.createWebhook.map(optionOf)]) command.addOption(option);
  command
    .addHelpText(
      'after',
      examples(
        '$ roomscribe webhooks create https://shop.example.com/hooks',
        '$ roomscribe webhooks create https://shop.example.com/hooks \\',
        '    --types transcription.finished,transcription.failed',
      ),
    )
    .action(async (url: string, { types, idempotencyKey, ...flags }: WebhookFlags & { idempotencyKey?: string }) => {
      const output = outputOf(cli, command);
      const webhook = { url, ...flags, ...(types && { types: [...types] }) };
      const created = await withClient(cli, command, ({ webhooks }) =>
        webhooks.create(webhook, { idempotencyKey, signal: cli.signal }),
      );
      output.print(created, () => webhookDetails(created));
      output.note(secretWarning);
      output.note(`To try it, run: ${nextCommand(command, `webhooks test ${created.webhookId}`)}`);
    });
}
