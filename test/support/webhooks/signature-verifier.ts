import aws4 from 'aws4';

type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
};

/** Whether S3 would accept a presigned link. Recomputes the signature with a signer other than the SDK's. */
export function hasValidSignature(link: string, credentials: Credentials, method = 'GET'): boolean {
  const { host, pathname, search, searchParams } = new URL(link);
  const given = searchParams.get('X-Amz-Signature');
  const [accessKeyId, , region, service] = searchParams.get('X-Amz-Credential')?.split('/') ?? [];
  const isOfSession =
    accessKeyId === credentials.accessKeyId && searchParams.get('X-Amz-Security-Token') === credentials.sessionToken;
  if (!region || !service || !isOfSession) return false;
  const unsigned = `${pathname}${search.replace(/[?&]X-Amz-Signature=[^&]*/, '')}`;
  const { path = '' } = aws4.sign({ method, host, path: unsigned, service, region, signQuery: true }, credentials);
  return given === /[?&]X-Amz-Signature=([0-9a-f]+)/.exec(path)?.[1];
}
