import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import type { ReceiverMode } from './receiver-address.ts';

/** All addresses of a host name. Whoever asked does not need them any more when the signal is aborted. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<readonly LookupAddress[]>;

/** For one question to one name server. */
const questionMs = 2_000;
/** With these errors, name servers say that there is no address, or there is no name server. */
const withoutAddress = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'];

/**
 * Asks name servers itself. The resolver of the system (`getaddrinfo`) runs on a few threads that all lookups of the process share and that
 * cannot be cancelled, so one host with a silent name server would hold up the calls of all others, and those to AWS. Each call has a
 * resolver of its own, which ends with it. On this machine also the names are found that only the system knows, such as `localhost`.
 */
export function nameResolver(mode: ReceiverMode, { servers }: { readonly servers?: readonly string[] } = {}): Resolve {
  return async (hostname, signal) => {
    if (mode === 'this-machine' && isLocal(hostname)) return lookup(hostname, { all: true });
    signal.throwIfAborted();
    const resolver = new Resolver({ timeout: questionMs, tries: 1 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel);
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      const addresses = [...addressesOf(four, 4), ...addressesOf(six, 6)];
      if (addresses.length > 0) return addresses;
      const errors = [four, six].flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      const isUnknown = errors.every(({ code }) => withoutAddress.includes(code));
      if (mode === 'this-machine' && isUnknown) return await lookup(hostname, { all: true });
      throw errors[0];
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** True for names that no name server knows: of this machine, and of its network. */
function isLocal(hostname: string): boolean {
  return /(^|\.)localhost\.?$/.test(hostname) || !hostname.includes('.');
}

function addressesOf(outcome: PromiseSettledResult<readonly string[]>, family: 4 | 6): LookupAddress[] {
  return outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : [];
}
