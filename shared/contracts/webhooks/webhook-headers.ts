/** The headers with which a webhook is signed. https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
  /** As Whereby signs its webhooks, beside the others, for receivers that were written for it. */
  whereby: 'whereby-signature',
} as const;
