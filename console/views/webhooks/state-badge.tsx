import type { Delivery, Webhook } from '../../../client/types.ts';
import { texts } from '../../texts/en.ts';
import { deliverySigns, stateOf, stateSigns } from './webhook-state.ts';

/** The state of a webhook: a sign and a word. */
export function WebhookBadge({ webhook, now }: { readonly webhook: Webhook; readonly now: number }) {
  const state = stateOf(webhook, now);
  const { tone, sign } = stateSigns[state];
  return (
    <span className="badge" data-tone={tone} title={texts.webhooks.stateHelp[state]}>
      <span aria-hidden="true">{sign}</span>
      {texts.webhooks.states[state]}
    </span>
  );
}

/** The state of a delivery: a sign and a word. */
export function DeliveryBadge({ state }: { readonly state: Delivery['state'] }) {
  const { tone, sign } = deliverySigns[state];
  return (
    <span className="badge" data-tone={tone}>
      <span aria-hidden="true">{sign}</span>
      {texts.webhook.states[state]}
    </span>
  );
}
