import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { ServiceUnavailable } from '../../errors.ts';

/** Credentials of the link role. Everything signed with them expires at `expiration` at the latest. */
export type LinkCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
};

/** The maximum session duration in role chaining. https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles.html */
const sessionSeconds = 3600;
/** A younger session is reused even if a new one would last longer: one call to STS a minute is enough. */
const freshForMs = 60_000;

/**
 * Returns credentials that are valid for `validForSeconds`, or for as long as STS allows. The credentials of the function
 * could sign too, but their expiry is unknown, and a link expires with the credentials that signed it.
 */
export function linkCredentials(sts: Pick<STSClient, 'send'>, roleArn: string, now = () => new Date()) {
  let session: { readonly credentials: LinkCredentials; readonly since: number } | undefined;
  return async (validForSeconds: number): Promise<LinkCredentials> => {
    const at = now().getTime();
    const outlasts = session && session.credentials.expiration.getTime() - at >= validForSeconds * 1000;
    const isFresh = session && at - session.since < freshForMs;
    if (session && (outlasts || isFresh)) return session.credentials;
    const credentials = await assumeRole(sts, roleArn);
    session = { credentials, since: at };
    return credentials;
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
