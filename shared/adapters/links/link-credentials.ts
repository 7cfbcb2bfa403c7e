import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';

/** Credentials of the link role. Everything signed with them expires at `expiration` at the latest. */
export type LinkCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
};

/** The maximum session duration in role chaining. https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles.html */
const sessionSeconds = 3600;
/** Every session outlasts such a link for its first minute. So one call to STS a minute is enough, also for the longest links. */
const longestLinkSeconds = sessionSeconds - 60;

/**
 * Returns credentials that are valid for at least `validForSeconds`, or undefined if STS grants none. The credentials of the
 * function could sign too, but their expiry is unknown, and a link expires with the credentials that signed it.
 */
export function linkCredentials(sts: Pick<STSClient, 'send'>, roleArn: string, now = () => new Date()) {
  let session: LinkCredentials | undefined;
  return async (validForSeconds: number): Promise<LinkCredentials | undefined> => {
    if (validForSeconds > longestLinkSeconds) return undefined;
    const outlasting = (credentials: LinkCredentials | undefined) =>
      credentials && credentials.expiration.getTime() - now().getTime() >= validForSeconds * 1000
        ? credentials
        : undefined;
    const kept = outlasting(session);
    if (kept) return kept;
    session = await assumeRole(sts, roleArn);
    return outlasting(session);
  };
}

async function assumeRole(sts: Pick<STSClient, 'send'>, roleArn: string): Promise<LinkCredentials> {
  const { Credentials } = await sts.send(
    new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: 'access-link', DurationSeconds: sessionSeconds }),
  );
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey || !SessionToken || !Expiration)
    throw new ServiceUnavailable('STS returned no session.');
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: Expiration,
  };
}
