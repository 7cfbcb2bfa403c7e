import { isOwnAddress } from '#shared/domain/platforms/own-address.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import type { WebhookCaller } from './ports.ts';

/** What decides which addresses may be called. */
export type UrlDependencies = {
  readonly caller: Pick<WebhookCaller, 'refusalOf'>;
  /** The URL of the API. It may not be called. */
  readonly apiUrl: string;
};

/** Throws `InvalidRequest` for the address of a webhook that may not be called. */
export function callableUrl({ caller, apiUrl }: UrlDependencies, url: string): void {
  const message = isOwnAddress(url, apiUrl) ? 'must not be an address of this service' : caller.refusalOf(url);
  if (message !== undefined) throw new InvalidRequest([{ path: 'url', message }]);
}
