import { Uuid } from '../../../shared/contracts/fields.ts';
import { UserError } from '../../shared/user-error.ts';
import type { Target } from '../target.ts';

type Scope = { readonly name: string; readonly target: Target };

/** A parsed command on the webhooks of an organization. */
export type WebhookCommand = Scope &
  ({ readonly action: 'webhooks' } | { readonly action: 'remove-webhook'; readonly webhookId: string });

/** The commands of `npm run organization` that are on webhooks. */
export const webhookActions = ['webhooks', 'remove-webhook'] as const;

/** True for a command on the webhooks of an organization. */
export function isWebhookCommand<Other extends { readonly action: string }>(
  command: Other | WebhookCommand,
): command is WebhookCommand {
  return webhookActions.some((action) => action === command.action);
}

/** Reads `webhooks NAME` and `remove-webhook NAME WEBHOOK`. Throws a `UserError` for a missing id or confirmation. */
export function readWebhookCommand(
  scope: Scope,
  action: (typeof webhookActions)[number],
  webhook: string | undefined,
  isConfirmed: boolean,
): WebhookCommand {
  if (action === 'webhooks') return { ...scope, action };
  if (webhook === undefined) throw new UserError('No webhook given. The command webhooks lists the ids.');
  const { success, data: webhookId } = Uuid.safeParse(webhook);
  if (!success) throw new UserError(`"${webhook}" is not the id of a webhook. The command webhooks lists the ids.`);
  if (!isConfirmed)
    throw new UserError(
      `Removing ${webhookId} ends its deliveries, also those that wait. Its secret is never used again. To confirm, add --yes.`,
    );
  return { ...scope, action, webhookId };
}
