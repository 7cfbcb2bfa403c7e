import { isThrottlingError, isTransientError } from '@smithy/service-error-classification';

type SdkError = Parameters<typeof isThrottlingError>[0];

/** The other side asked for a pause. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && (isThrottlingError(error as SdkError) || hasThrottledReason(error));
}

/** Throttled, timed out, or failed on the other side: what the SDK itself would have gone on retrying. */
export function isDependencyFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const sdkError = error as SdkError;
  return isThrottled(error) || isTransientError(sdkError) || (sdkError.$metadata?.httpStatusCode ?? 0) >= 500;
}

const throttleCodes = ['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'];

/** A transaction is cancelled under one name for every cause; the causes stand in its reasons. */
function hasThrottledReason(error: Error & { CancellationReasons?: readonly { readonly Code?: string }[] }): boolean {
  return (error.CancellationReasons ?? []).some(({ Code = '' }) => throttleCodes.includes(Code));
}
