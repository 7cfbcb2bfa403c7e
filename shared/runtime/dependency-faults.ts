import { isThrottlingError, isTransientError } from '@smithy/service-error-classification';

type SdkError = Parameters<typeof isThrottlingError>[0];

/** True if the dependency throttled the call. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && (isThrottlingError(error as SdkError) || hasThrottledReason(error));
}

/** True if the dependency throttled the call, timed out or failed. These are the errors that the SDK retries. */
export function isDependencyFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const sdkError = error as SdkError;
  return isThrottled(error) || isTransientError(sdkError) || (sdkError.$metadata?.httpStatusCode ?? 0) >= 500;
}

const throttleCodes = ['ThrottlingError', 'ProvisionedThroughputExceeded', 'RequestLimitExceeded'];

/** A cancelled transaction has the same error name for every cause. Its reasons name the causes. */
function hasThrottledReason(error: Error & { CancellationReasons?: readonly { readonly Code?: string }[] }): boolean {
  return (error.CancellationReasons ?? []).some(({ Code = '' }) => throttleCodes.includes(Code));
}
