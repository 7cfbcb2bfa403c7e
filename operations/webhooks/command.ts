import { Uuid } from '#shared/contracts/common/fields.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { type Commands, onDeployment } from '../organization/command.ts';
import { findScope } from '../organization/scope.ts';
import { readTarget, type TargetOptions } from '../target.ts';
import { listWebhooks } from './list.ts';
import { removeWebhook } from './manage.ts';

/** Adds the commands on the webhooks of an organization. */
export function addWebhookCommands({ program, dependencies, printing }: Commands): void {
  onDeployment(
    program,
    'webhooks',
    'Lists the webhooks to which notices are sent, and how their deliveries go.',
  ).action(
    printing(async (name: string, options: TargetOptions) =>
      listWebhooks(await findScope({ name, target: readTarget(options) }, dependencies)),
    ),
  );
  onDeployment(program, 'remove-webhook', 'Removes a webhook. Nothing is sent to it from then on.')
    .argument('<webhook>', 'the id of the webhook, which the command webhooks lists', webhookIdOf)
    .option('--yes', 'confirm it')
    .action(
      printing(async (name: string, webhookId: string, { yes, ...options }: TargetOptions & { yes?: true }) => {
        if (!yes)
          throw new UserError(
            `Removing ${webhookId} ends its deliveries, also those that wait. Its secret is never used again. To confirm, add --yes.`,
          );
        const command = { name, target: readTarget(options), webhookId };
        return removeWebhook(command, await findScope(command, dependencies));
      }),
    );
}

function webhookIdOf(text: string): string {
  const { success, data } = Uuid.safeParse(text);
  if (success) return data;
  throw new UserError(`"${text}" is not the id of a webhook. The command webhooks lists the ids.`);
}
