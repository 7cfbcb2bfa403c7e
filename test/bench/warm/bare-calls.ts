import type { Call } from './stand-in.ts';

/** A call as the bare handler makes it: a command of a client of the SDK, or a request that is not of the SDK. */
export type BareCall =
  | { readonly service: string; readonly command: string; readonly input: object }
  | {
      readonly service: undefined;
      readonly url: string;
      readonly method: string;
      readonly headers: Record<string, string>;
      readonly body?: string;
    };

/** The calls of an invocation for the bare handler, in groups that are on their way at the same time. */
export function bareCallsOf(calls: readonly Call[], standInUrl: string): BareCall[][] {
  const groups = Map.groupBy(calls, ({ group }) => group);
  return [...groups.values()].map((group) => group.map((call) => bareCallOf(call, standInUrl)));
}

function bareCallOf(call: Call, standInUrl: string): BareCall {
  const { service, operation, method, path, headers, body } = call;
  const isOfSdk = service !== undefined && (headers.authorization !== undefined || operation !== undefined);
  if (!isOfSdk) {
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...others } = headers;
    const sent = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, String(value)]));
    const text = body.length > 0 && { body: body.toString('utf8') };
    return { service: undefined, url: `${standInUrl}${path}`, method, headers: sent, ...text };
  }
  if (operation !== undefined) return { service, command: operation, input: JSON.parse(body.toString('utf8')) };
  return { service, ...commandOfS3(call) };
}

/** The calls of S3 that the functions make. */
function commandOfS3({ method, path, headers, body }: Call): { readonly command: string; readonly input: object } {
  const { pathname, searchParams } = new URL(path, 'http://s3');
  const [, Bucket, ...key] = pathname.split('/');
  const Key = decodeURIComponent(key.join('/'));
  if (method === 'PUT') {
    const ContentType = headers['content-type'];
    return { command: 'PutObject', input: { Bucket, Key, Body: body.toString('utf8'), ContentType } };
  }
  if (method === 'GET' && searchParams.has('list-type')) {
    const [Prefix, EncodingType] = [searchParams.get('prefix'), searchParams.get('encoding-type')];
    const MaxKeys = Number(searchParams.get('max-keys'));
    return { command: 'ListObjectsV2', input: { Bucket, Prefix, EncodingType, MaxKeys } };
  }
  throw new Error(`The benchmark does not know ${method} ${pathname} of S3.`);
}
