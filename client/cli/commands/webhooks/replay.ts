import { type Command, Option } from 'commander';
import type { ReplayWebhook } from '../../../types.ts';
import { type Cli, nextCommand, outputOf } from '../../cli.ts';
import { withClient } from '../../connect.ts';
import { examples, idArgument } from '../../options.ts';
import { usageProblem } from '../../problems.ts';
import { replayText } from './show.ts';

type Flags = { readonly noticeId?: string; readonly createdAt?: string; readonly from?: string; readonly to?: string };

const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';

/** Adds `webhooks replay`. */
export function addReplay(parent: Command, cli: Cli): void {
  const command = parent
    .command('replay')
    .description('Deliver one notice, or those of a period of the last 30 days, to a webhook again.')
    .addArgument(idArgument('<webhook-id>', 'Identifier of the webhook.'))
    .addOption(new Option('--notice-id <id>', 'One notice. Needs --created-at.').conflicts(['from', 'to']))
    .addOption(
      new Option('--created-at <time>', 'When the notice was created, as notices shows it.').conflicts(['from', 'to']),
    )
    .addOption(new Option('--from <time>', 'Notices created at this time or later.'))
    .addOption(new Option('--to <time>', 'Notices created before this time. Default: now.'));
  command
    .addHelpText(
      'after',
      examples(`$ roomscribe webhooks replay ${id} \\`, '    --from 2026-03-01T00:00:00Z --to 2026-03-02T00:00:00Z'),
    )
    .action(async (webhookId: string, flags: Flags) => {
      const output = outputOf(cli, command);
      const replay = await withClient(cli, command, ({ webhooks }) =>
        webhooks.replay(webhookId, whatOf(flags), { signal: cli.signal }),
      );
      output.print(replay, () => replayText(replay));
      output.note(`To see how far it has come, run: ${nextCommand(command, `webhooks get ${webhookId}`)}`);
    });
}

function whatOf({ noticeId, createdAt, from, to }: Flags): ReplayWebhook {
  if (from !== undefined) return { from, ...(to !== undefined && { to }) };
  if (noticeId !== undefined && createdAt !== undefined) return { noticeId, createdAt };
  throw usageProblem('What to replay is missing.', 'Add --from and perhaps --to, or --notice-id and --created-at.');
}
