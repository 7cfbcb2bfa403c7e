/** The parts of Fastify's request and reply that this module uses. */
type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly authorization?: string | undefined };
};
type Reply = {
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: string): unknown;
};

/** The response headers that a presigned link can set by a parameter. */
const responseHeaders = ['content-disposition', 'content-type', 'cache-control'];

/**
 * Refuses a download that is not signed or whose link has expired, as S3 does and fauxqs does not. Returns true if it
 * answered the request. It does not check the signature.
 */
export function refuseDownload({ method, url, headers }: Request, reply: Reply, now = Date.now()): boolean {
  if (!['GET', 'HEAD'].includes(method) || !isOfBucket(url) || headers.authorization) return false;
  const expires = expiryOf(parametersOf(url));
  if (expires !== undefined && now < expires) return false;
  const message = expires === undefined ? 'Access Denied' : 'Request has expired';
  const error = `<Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`;
  reply.code(403).header('content-type', 'application/xml').send(error);
  return true;
}

/** Sets the response headers that a presigned link requests, as S3 does. */
export function setResponseHeaders({ url }: Request, reply: Reply): void {
  const parameters = parametersOf(url);
  for (const name of responseHeaders) {
    const value = parameters.get(`response-${name}`);
    if (value !== null) reply.header(name, value);
  }
}

/** When a presigned link expires, in epoch milliseconds. Undefined for other URLs. */
function expiryOf(parameters: URLSearchParams): number | undefined {
  const date = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(parameters.get('X-Amz-Date') ?? '');
  const seconds = Number(parameters.get('X-Amz-Expires'));
  if (!date || !parameters.has('X-Amz-Signature') || !Number.isInteger(seconds)) return undefined;
  const [year = 0, month = 1, ...rest] = date.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...rest) + seconds * 1000;
}

/** Whether a URL addresses a bucket. fauxqs also serves SQS at `/`, and its own pages. */
function isOfBucket(url: string): boolean {
  return !/^\/($|\?|health|_fauxqs)/.test(url);
}

function parametersOf(url: string): URLSearchParams {
  return new URLSearchParams(url.split('?').slice(1).join('?'));
}
