import type { Command } from 'commander';
import { type Cli, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, FieldOption, idArgument, optionOf } from '../../options.ts';
import { time } from '../../output/format.ts';
import { parameters } from '../../parameters.ts';
import { usageProblem } from '../../problems.ts';
import { secretWarning } from './create.ts';

type Flags = { readonly previousValidForSeconds?: number; readonly idempotencyKey?: string };

/** Adds `webhooks rotate`. */
export function addRotate(parent: Command, cli: Cli): void {
  const command = parent
    .command('rotate')
    .description('Make a new secret and print it. The service also signs with the old one for a day.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'))
    .addOption(
      new FieldOption(
        'previousValidForSeconds',
        '--old-for <seconds>',
        'For how long it also signs with the old secret. 0 ends it at once. Default: 86400.',
      ).argParser(seconds),
    );
  for (const option of parameters.rotateWebhookSecret.map(optionOf)) command.addOption(option);
  command
    .addHelpText('after', examples('$ roomscribe webhooks rotate 9226ec25-8833-431d-82bc-05dbfd0728fb'))
    .action(async (webhookId: string, flags: Flags) => {
      const output = outputOf(cli, command);
      const rotated = await withClient(cli, command, ({ webhooks }) =>
        webhooks.rotateSecret(webhookId, { ...flags, signal: cli.signal }),
      );
      output.print(rotated, () => rotated.secret);
      output.note(secretWarning);
      const { previousSecretExpiresAt: end } = rotated;
      output.note(end === null ? 'The old secret has ended.' : `The old secret ends at ${time(end)} UTC.`);
    });
}

function seconds(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw usageProblem(`--old-for must be a whole number, 0 or greater, not "${value}".`);
}
