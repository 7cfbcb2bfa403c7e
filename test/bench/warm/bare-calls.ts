import type { Call } from '../../support/requests/stand-in.ts';
import type { FunctionAnswer } from './warm-process.ts';

/** What the bare handler does: its calls, in groups that are on their way at the same time, then its answer. */
export type BareWork = { readonly groups: readonly (readonly BareCall[])[]; readonly answer: FunctionAnswer };

/** A call as the bare handler makes it: a command of a client of the SDK, a link that the SDK signs, or a request that is not of the SDK. */
export type BareCall =
  | { readonly service: string; readonly command: string; readonly input: object }
  | { readonly service: 'signature'; readonly method: string; readonly url: string }
  | {
      readonly service: undefined;
      readonly url: string;
      readonly method: string;
      readonly headers: Record<string, string>;
      readonly body?: string;
    };

/** The same calls, signatures and answer as those of an invocation, for the bare handler. */
export function bareWorkOf(calls: readonly Call[], answer: string, standInUrl: string): BareWork {
  const groups = Map.groupBy(calls, ({ group }) => group);
  const before = (group: readonly Call[]) => {
    const signed = group.filter(({ path }) => isSigned(path));
    return signed.map(({ method, path }) => ({ service: 'signature', method, url: `${standInUrl}${path}` }) as const);
  };
  const links = (answer.match(/https?:[^"\\ ]+/g) ?? []).filter(isSigned);
  return {
    groups: [
      ...[...groups.values()].flatMap((group) => [before(group), group.map((call) => bareCallOf(call, standInUrl))]),
      links.map((url) => ({ service: 'signature', method: 'GET', url })),
    ],
    answer: JSON.parse(answer),
  };
}

function isSigned(address: string): boolean {
  return address.includes('X-Amz-Signature=');
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
