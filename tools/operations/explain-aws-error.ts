import { errorMessage } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';

const expired = 'The AWS credentials have expired. Sign in again.';
const unknown = 'AWS does not recognize the credentials. Check AWS_PROFILE, or sign in again.';
const denied = 'The AWS credentials do not allow this operation.';

const remedies: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'No AWS credentials found. Set AWS_PROFILE, or sign in with `aws configure` or `aws sso login`.',
  ExpiredToken: expired,
  ExpiredTokenException: expired,
  InvalidClientTokenId: unknown,
  UnrecognizedClientException: unknown,
  AccessDenied: denied,
  AccessDeniedException: denied,
};

/** Turns an AWS error about credentials, permissions or the region into a `UserError`. Returns any other error unchanged. */
export function explainAwsError(error: unknown): unknown {
  const message = errorMessage(error);
  if (message === 'Region is missing') return new UserError('No AWS region set. Set AWS_REGION.', { cause: error });
  const remedy = error instanceof Error ? remedies[error.name] : undefined;
  return remedy === undefined ? error : new UserError(`${remedy}\n${message}`, { cause: error });
}
