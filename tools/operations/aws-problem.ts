import { errorMessage } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';

const remedies: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'There are no AWS credentials here: set AWS_PROFILE, or sign in with `aws configure` or `aws sso login`.',
  ExpiredToken: 'The AWS credentials here have expired: sign in again.',
  ExpiredTokenException: 'The AWS credentials here have expired: sign in again.',
  InvalidClientTokenId: 'AWS does not know the credentials here: check AWS_PROFILE, or sign in again.',
  UnrecognizedClientException: 'AWS does not know the credentials here: check AWS_PROFILE, or sign in again.',
  AccessDenied: 'The AWS credentials here are not allowed to do this.',
  AccessDeniedException: 'The AWS credentials here are not allowed to do this.',
};

/** What the person at the terminal can do about an error of AWS; errors that are nobody's fault here stay as they are. */
export function awsProblem(error: unknown): unknown {
  const message = errorMessage(error);
  if (message === 'Region is missing') return new UserError('Which region? Set AWS_REGION.', { cause: error });
  const remedy = error instanceof Error ? remedies[error.name] : undefined;
  return remedy === undefined ? error : new UserError(`${remedy}\n${message}`, { cause: error });
}
