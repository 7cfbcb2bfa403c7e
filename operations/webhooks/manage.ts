import { webhookKey } from '#shared/storage/webhooks/rows.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { removing } from '../erasure/removal.ts';
import { type Scope, type Subject, targetFlag } from '../organization/scope.ts';
import { shownUrl } from './list.ts';
import { webhooksOf } from './stored.ts';

/** Removes a webhook, as its owner can by the API. Its deliveries stay until they expire, and none is made any more. */
export async function removeWebhook(
  { name, target, webhookId }: Subject & { readonly webhookId: string },
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
