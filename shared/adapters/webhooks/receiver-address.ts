import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which receivers may be called: public ones over https, or also this machine, for the local runner. */
export const receiverModes = ['public', 'this-machine'] as const;
/** Which receivers may be called. */
export type ReceiverMode = (typeof receiverModes)[number];

/** The addresses of this machine that `this-machine` allows. The others of 127.0.0.0/8 stay refused. */
export const loopbackAddresses: readonly string[] = ['127.0.0.1', '::1'];

/** All unicast addresses that are assigned so far. https://www.iana.org/assignments/ipv6-unicast-address-assignments */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * True if an address may be connected to. ipaddr.js knows the special ranges, also those that hold an IPv4 address: mapped, NAT64, 6to4
 * and Teredo. But what is in none of its ranges is `unicast` to it: IPv4-compatible addresses such as `::127.0.0.1`, and all that is not
 * assigned. So an IPv6 address must also be in the range of global unicast addresses.
 */
export function isReceiverAddress(address: string, mode: ReceiverMode): boolean {
  if (isIP(address) === 0) return false;
  if (mode === 'this-machine' && loopbackAddresses.includes(address)) return true;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}
