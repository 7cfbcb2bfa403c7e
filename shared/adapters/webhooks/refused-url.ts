import { isIP } from 'node:net';
import { isReceiverAddress, type ReceiverMode } from './receiver-address.ts';

/** A space or a control character. `URL` would drop some of them without a word. */
const unseen = /[\s\p{Cc}]/u;

/**
 * Why the URL of a webhook may not be called; undefined if it may. The reason continues the sentence `url …`. `URL` reads all spellings of
 * an IPv4 address, so decimal, octal and shortened ones are checked, too. What a host name stands for is checked when it is called.
 */
export function refusalOfUrl(text: string, mode: ReceiverMode): string | undefined {
  if (unseen.test(text)) return 'must not contain spaces or control characters';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return 'must be an absolute URL';
  const isHttp = mode === 'this-machine' && url.protocol === 'http:';
  if (url.protocol !== 'https:' && !isHttp) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
  if (text.includes('#')) return 'must not contain a fragment';
  if (url.port === '0') return 'must not name port 0';
  const host = hostOf(url);
  const isThisMachine = /(^|\.)localhost\.?$/.test(host);
  const isRefused = isIP(host) === 0 ? isThisMachine && mode === 'public' : !isReceiverAddress(host, mode);
  return isRefused ? 'must name a host with a public address' : undefined;
}

/** The host name or the address of a URL, without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
