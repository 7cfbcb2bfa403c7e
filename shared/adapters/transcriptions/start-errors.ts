import { BadRequestException } from '@aws-sdk/client-transcribe';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { JobStart } from '#shared/domain/transcriptions/transcription-job.ts';
import { isThrottled } from '#shared/runtime/dependency-faults.ts';
import { failureCodeOf } from './failure-reasons.ts';

/** Errors of an account that has not finished signing up, or in which Transcribe or its region is not enabled. */
const notEnabled: ReadonlySet<string> = new Set(['SubscriptionRequiredException', 'OptInRequired']);
/** Errors of a caller without permission: https://docs.aws.amazon.com/transcribe/latest/APIReference/CommonErrors.html. */
const notAllowed: ReadonlySet<string> = new Set(['AccessDeniedException', 'NotAuthorized']);

const isAmong = (names: ReadonlySet<string>, error: unknown) => error instanceof Error && names.has(error.name);

/** The code of an error by which the account or the role may not use Transcribe, so that only the operator can help. */
export function denialOf(error: unknown): FailureCode | undefined {
  if (isAmong(notEnabled, error)) return 'engine_not_enabled';
  return isAmong(notAllowed, error) ? 'engine_access_denied' : undefined;
}

/** What an error says about the start of a job. Throws the error if it says nothing, so that the message is delivered again. */
export function startAfter(error: unknown): JobStart {
  if (isThrottled(error)) return 'busy'; // LimitExceededException too
  const refused = denialOf(error) ?? (error instanceof BadRequestException ? failureCodeOf(error.message) : undefined);
  if (refused === undefined) throw error;
  return refused === 'engine_access_denied' ? 'denied' : { refused };
}
