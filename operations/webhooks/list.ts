import { toWebhook, type WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import type { Scope } from '../organization/scope.ts';
import { countWaiting, webhooksOf } from './stored.ts';

/**
 * Lists the webhooks of an organization: where they go, whether they are disabled, since when they fail, and how many deliveries wait. It
 * shows neither a secret nor the query of an address, which can contain one.
 */
export async function listWebhooks(
  { deployment, organizationId, client }: Scope,
  now: () => Date = () => new Date(),
): Promise<string> {
  const webhooks = await webhooksOf(deployment, organizationId);
  if (webhooks.length === 0)
    return `${client?.name ?? organizationId} has no webhooks. It creates them by the API: POST /v1/webhooks`;
  const described: string[] = [];
  for (const webhook of webhooks)
    described.push(describeWebhook(webhook, await countWaiting(deployment, webhook), now()));
  return described.join('\n\n');
}

/** The address of a webhook without its query and fragment. */
export function shownUrl(url: string): string {
  const [, address = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  return `${address}${rest === '' ? '' : '?…'}`;
}

function describeWebhook(record: WebhookRecord, waiting: string, now: Date): string {
  const { webhookId, url, types, signature, state, disabledBy, createdAt, replay, ...rest } = toWebhook(record, now);
  const { failingSince, parkedUntil, previousSecretExpiresAt } = rest;
  const line = (name: string, value: string | null) => (value === null ? [] : [`  ${name.padEnd(18)}${value}`]);
  return [
    webhookId,
    ...line('url', shownUrl(url)),
    ...line('types', types?.join(', ') ?? 'all'),
    ...line('signature', signature === 'whereby' ? 'standard and whereby' : signature),
    ...line(
      'state',
      disabledBy === null ? state : `disabled by ${disabledBy === 'owner' ? 'its owner' : 'the service'}`,
    ),
    ...line('created', createdAt),
    ...line('failing since', failingSince),
    ...line('parked until', parkedUntil),
    ...line('two secrets until', previousSecretExpiresAt),
    ...line('replay', replay && `${replay.state}, ${replay.planned} planned, started ${replay.startedAt}`),
    ...line('waiting', waiting),
  ].join('\n');
}
