import { webhookKey } from '../../../shared/storage/webhooks/rows.ts';
import { UserError } from '../../shared/user-error.ts';
import { removing } from '../erasure/removal.ts';
import { type Dependencies, findScope, type Scope, targetFlag } from '../organization/scope.ts';
import type { WebhookCommand } from './command.ts';
import { listWebhooks, shownUrl } from './list.ts';
import { webhooksOf } from './stored.ts';

/** Runs a command on the webhooks of an organization, and returns the text to print. */
export async function runWebhookCommand(command: WebhookCommand, dependencies: Dependencies): Promise<string> {
  const scope = await findScope(command, dependencies);
  return command.action === 'webhooks' ? listWebhooks(scope) : removeWebhook(command, scope);
}

/** Removes a webhook, as its owner can by the API. Its deliveries stay until they expire, and none is made any more. */
async function removeWebhook(
  { name, target, webhookId }: Extract<WebhookCommand, { action: 'remove-webhook' }>,
  { deployment, organizationId }: Scope,
): Promise<string> {
  const found = (await webhooksOf(deployment, organizationId)).find((webhook) => webhook.webhookId === webhookId);
  if (!found)
    throw new UserError(
      `Organization ${organizationId} has no webhook ${webhookId}. To list its webhooks:\n` +
        `  npm run organization -- webhooks ${name} ${targetFlag(target)}`,
    );
  await removing(deployment).rows('webhooks', [webhookKey(found)]);
  return `Removed ${webhookId}, which called ${shownUrl(found.url)}. Calls that have begun end within a minute.`;
}
