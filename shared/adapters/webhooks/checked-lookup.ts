import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { DeliveryFailureCode } from '#shared/contracts/webhooks/webhooks.ts';
import type { Resolve } from './name-resolver.ts';
import { isReceiverAddress, type ReceiverMode } from './receiver-address.ts';

/** The end of a call before a connection was made. */
export class NotCalled extends Error {
  readonly failureCode: DeliveryFailureCode;

  constructor(failureCode: DeliveryFailureCode, options?: ErrorOptions) {
    super(failureCode, options);
    this.failureCode = failureCode;
  }
}

/**
 * The lookup of a connection. It asks once and checks every address of the answer, and the connection is made to one of them: nobody
 * asks again, so a name that changes its address in between (DNS rebinding) gains nothing. One refused address refuses them all.
 * Node asks for all addresses if it may try several of them, and for one otherwise.
 */
export function checkedLookup(mode: ReceiverMode, resolve: Resolve, signal: AbortSignal): LookupFunction {
  const addressesOf = async (hostname: string): Promise<readonly [LookupAddress, ...LookupAddress[]]> => {
    const [first, ...others] = await resolve(hostname, signal).catch((cause) => {
      throw new NotCalled('host_not_found', { cause });
    });
    if (!first) throw new NotCalled('host_not_found');
    const addresses = [first, ...others] as const;
    if (addresses.every(({ address }) => isReceiverAddress(address, mode))) return addresses;
    throw new NotCalled('address_not_public');
  };
  return (hostname, { all }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const [{ address, family }] = addresses;
        if (all) callback(null, [...addresses]);
        else callback(null, address, family);
      },
      (error) => callback(error, ''),
    );
  };
}
