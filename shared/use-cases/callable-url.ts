import { InvalidRequest } from '../errors.ts';
import type { WebhookCaller } from './webhook-ports.ts';

/** Throws `InvalidRequest` for the address of a webhook that may not be called. */
export function callableUrl(caller: Pick<WebhookCaller, 'refusalOf'>, url: string): void {
  const message = caller.refusalOf(url);
  if (message !== undefined) throw new InvalidRequest([{ path: 'url', message }]);
}
