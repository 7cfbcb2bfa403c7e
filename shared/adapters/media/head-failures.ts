import { S3ServiceException } from '@aws-sdk/client-s3';

/** What statuses of HEAD mean. A response to HEAD has no body, so there is nothing else to decide by. */
const meanings: Readonly<Record<number, 'missing' | 'unreadable'>> = {
  // The object has a customer's own key (SSE-C). Expired credentials have this status too, but the table was read with them before.
  400: 'unreadable',
  // The bucket is in another region.
  301: 'missing',
  307: 'missing',
  403: 'missing',
  404: 'missing',
};

/** Why HEAD has failed. Rethrows an error if a repetition may succeed. */
export function meaningOf(error: unknown): 'missing' | 'unreadable' {
  const meaning = error instanceof S3ServiceException && meanings[error.$metadata.httpStatusCode ?? 0];
  if (meaning) return meaning;
  throw error;
}
