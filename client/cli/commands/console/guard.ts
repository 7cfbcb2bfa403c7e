import type { IncomingMessage } from 'node:http';

/**
 * Why a request does not come from a page of this server. Undefined if it may. A foreign name that leads here (DNS rebinding) has
 * another `Host`, a page of another site or port another `Origin`, and browsers say in `Sec-Fetch-Site` who asks. Programs send neither.
 */
export function refusalOf({ headersDistinct }: IncomingMessage, port: number): string | undefined {
  const [host = '', ...otherHosts] = headersDistinct.host ?? [];
  const [origin, ...otherOrigins] = headersDistinct.origin ?? [];
  const isHere = [`127.0.0.1:${port}`, `localhost:${port}`].includes(host) && otherHosts.length === 0;
  if (!isHere) return `This server is only at http://127.0.0.1:${port}/. Open the console there.`;
  const isOwn = (origin === undefined || origin === `http://${host}`) && otherOrigins.length === 0;
  return isOwn && !isOfOtherSite(headersDistinct)
    ? undefined
    : 'A page of another site asked. Only the console may ask.';
}

/** A link of another site may open a page, because that site cannot read it. */
function isOfOtherSite(headers: NodeJS.Dict<string[]>): boolean {
  const only = (name: string) => headers[name]?.join();
  const isLink = only('sec-fetch-mode') === 'navigate' && only('sec-fetch-dest') === 'document';
  const site = only('sec-fetch-site') ?? 'none';
  return !['none', 'same-origin'].includes(site) && !isLink;
}
