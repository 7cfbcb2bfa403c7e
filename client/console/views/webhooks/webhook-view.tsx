import { texts } from '../../texts/en.ts';

/** The view webhooks. */
export function WebhookView() {
  return <h1>{texts.webhooks.title}</h1>;
}
