import type { IncomingMessage } from 'node:http';

/**
 * Whether a request may come from a page of this server: a page of another site or port has another `Origin`, and browsers say in
 * `Sec-Fetch-Site` who asks. Browsers name the origin also in requests of a page for its own modules. Programs send neither. The
 * caller checks `Host`: a foreign name that leads here (DNS rebinding) has an origin of its own.
 */
export function mayBeOwnPage({ headersDistinct }: IncomingMessage): boolean {
  const only = (name: string) => headersDistinct[name]?.join();
  const origin = only('origin');
  const isOwn = origin === undefined || origin === `http://${only('host')}`;
  // A link of another site may open a page, because that site cannot read it.
  const isLink = only('sec-fetch-mode') === 'navigate' && only('sec-fetch-dest') === 'document';
  return isOwn && (isLink || ['none', 'same-origin'].includes(only('sec-fetch-site') ?? 'none'));
}
