import { texts } from '../../texts/en.ts';

/** The view webhooks. */
export function WebhooksView() {
  return <h1>{texts.webhooks.title}</h1>;
}
