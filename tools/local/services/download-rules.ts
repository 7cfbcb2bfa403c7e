/** What Fastify gives a hook of a request and of its answer, as far as it is needed here. */
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

/** Parameters by which a presigned link sets headers of its download. */
const responseHeaders = ['content-disposition', 'content-type', 'cache-control'];

/**
 * What S3 does at a download and fauxqs leaves out: an object is refused to those who sign nothing, and by a link that has
 * expired. True where the request was answered so. The signature itself is not checked.
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

/** Sets the headers that a link asks for, as S3 does. */
export function setResponseHeaders({ url }: Request, reply: Reply): void {
  const parameters = parametersOf(url);
  for (const name of responseHeaders) {
    const value = parameters.get(`response-${name}`);
    if (value !== null) reply.header(name, value);
  }
}

/** When a presigned link dies, in epoch milliseconds; undefined for what is no presigned link. */
function expiryOf(parameters: URLSearchParams): number | undefined {
  const date = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(parameters.get('X-Amz-Date') ?? '');
  const seconds = Number(parameters.get('X-Amz-Expires'));
  if (!date || !parameters.has('X-Amz-Signature') || !Number.isInteger(seconds)) return undefined;
  const [year = 0, month = 1, ...rest] = date.slice(1).map(Number);
  return Date.UTC(year, month - 1, ...rest) + seconds * 1000;
}

/** fauxqs serves SQS at `/`, and its own pages beside the buckets. */
function isOfBucket(url: string): boolean {
  return !/^\/($|\?|health|_fauxqs)/.test(url);
}

function parametersOf(url: string): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams;
}
