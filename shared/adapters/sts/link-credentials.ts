import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { ServiceUnavailable } from '../../errors.ts';

/** A session of the link role; `expiration` is when everything signed with it dies. */
export type LinkCredentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiration: Date;
};

/** The longest session that a role may give to another role. https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles.html */
const sessionSeconds = 3600;
/** A session younger than this is used even where a fresh one would outlast it: one call to STS a minute is enough. */
const freshForMs = 60_000;

/**
 * Credentials that are good for `validForSeconds`, or as near to that as STS allows. The function's own credentials would
 * do for signing, but nothing tells when they end, and a link dies with the credentials that signed it.
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
    throw new ServiceUnavailable('STS gave no session.');
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    sessionToken: SessionToken,
    expiration: Expiration,
  };
}
