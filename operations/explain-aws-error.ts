import { errorCode, errorMessage } from '../tools/shared/error-details.ts';
import { UserError } from '../tools/shared/user-error.ts';

const expired = 'The AWS credentials have expired. Sign in again.';

/** What to do about an error, by a pattern that matches its name, code or message. The first match counts. */
const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/^Region is missing$/, 'No AWS region set. Set AWS_REGION.'],
  [/^Region not accepted/, 'AWS_REGION is not the name of a region, such as eu-west-1.'],
  [/ExpiredToken|TokenRefreshRequired|(session|token).* expired/i, expired],
  [
    /^CredentialsProviderError$/,
    'No AWS credentials found. Set AWS_PROFILE, or sign in with `aws configure` or `aws sso login`.',
  ],
  [
    /^(InvalidClientTokenId|UnrecognizedClientException|InvalidAccessKeyId|AuthFailure)$/,
    'AWS does not recognize the credentials. Check AWS_PROFILE, or sign in again.',
  ],
  [
    /^(SignatureDoesNotMatch|InvalidSignatureException|RequestTimeTooSkewed|RequestExpired)$/,
    'AWS rejects the signature of the request. Check the secret access key, and the clock of this machine.',
  ],
  [
    /^(AccessDenied|AccessDeniedException|NotAuthorizedException|UnauthorizedOperation|AWS\.SimpleQueueService\.AccessDenied)$/,
    'The AWS credentials do not allow this operation.',
  ],
  [
    /^(Throttling|ThrottlingException|TooManyRequestsException|RequestLimitExceeded|RequestThrottled|SlowDown)$/,
    'AWS throttles the requests. Wait a minute, and run the command again.',
  ],
  [/^ProvisionedThroughputExceededException$/, 'A table is throttled. Wait a minute, and run the command again.'],
  [
    /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|TimeoutError|socket hang up)$/,
    'No connection to the service. Check the network and AWS_REGION. With --data-dir, check that npm start is running.',
  ],
  [
    /^(ServiceUnavailable|ServiceUnavailableException|InternalFailure|InternalError|InternalServerError|InternalErrorException|InternalFailureException|InternalServerException)$/,
    'AWS failed to answer. Run the command again.',
  ],
];

/**
 * Turns an error of AWS or of the network that an operator can fix into a `UserError` that says how. Returns any other error
 * unchanged.
 */
export function explainAwsError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UserError) return error;
  const texts = [error.name, errorCode(error), error.message].filter((text) => text !== undefined);
  const [, remedy] = remedies.find(([pattern]) => texts.some((text) => pattern.test(text))) ?? [];
  if (remedy === undefined) return error;
  const reason = errorMessage(error) || errorCode(error) || error.name;
  return new UserError(`${remedy}\n${reason}`, { cause: error });
}
