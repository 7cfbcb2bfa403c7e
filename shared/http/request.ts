import type { APIGatewayEventRequestContextV2, APIGatewayProxyEventV2WithRequestContext, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Endpoint, RequestSchemas } from '../contracts/common/endpoint.ts';
import { parse } from '../contracts/common/parse.ts';
import type { OrganizationId } from '../contracts/organization/organization.ts';
import { InvalidRequest, type Issue, PayloadTooLarge, UnsupportedMediaType } from '../runtime/errors.ts';

/** What the gateway passes on about a valid token: the claims from a JWT authorizer, the context from the Lambda authorizer. */
type Authorizer = {
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
  readonly lambda?: Readonly<Record<string, unknown>> | null;
};

/** The event that an HTTP API sends (payload format 2.0). A route without an authorizer sends no `authorizer`. */
export type HttpEvent = APIGatewayProxyEventV2WithRequestContext<
  APIGatewayEventRequestContextV2 & { readonly authorizer?: Authorizer }
>;

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** The parts of a request, parsed by the schemas of its endpoint. */
export type RequestParts<Definition extends RequestSchemas> = {
  readonly params: Parsed<Definition['params']>;
  readonly query: Parsed<Definition['query']>;
  readonly headers: Parsed<Definition['headers']>;
  readonly body: Parsed<Definition['body']>;
};

/** A request with its organization, parsed by the schemas of its endpoint. */
export type EndpointRequest<Definition extends Endpoint> = RequestParts<Definition> & {
  readonly organizationId: OrganizationId;
  /** The gateway's id of the request. The response carries it as `apigw-requestid`. Clients cannot choose it. */
  readonly correlationId: string;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
};

/** The largest valid body has 10,000 ids and 390 KB. */
const maxBodyBytes = 1024 * 1024;
const nothing = z.strictObject({});

/** Parses the parts of a request. Throws one `InvalidRequest` with all problems that the schemas find. */
export function readRequest<Definition extends RequestSchemas>(
  definition: Definition,
  event: HttpEvent,
): RequestParts<Definition> {
  const issues: Issue[] = [];
  const check = (part: string, schema: z.ZodMiniType | undefined, value: unknown) => {
    const parsed = parse(schema ?? nothing, value);
    if (!parsed.ok) issues.push(...parsed.issues.map(({ path, message }) => ({ path: path || part, message })));
    return parsed.ok && schema ? parsed.value : undefined;
  };
  const params = definition.params && check('path', definition.params, event.pathParameters ?? {});
  const query = definition.takesAnyQuery
    ? undefined
    : check('query', definition.query, readQuery(event.rawQueryString, issues));
  const headers = definition.headers && check('headers', definition.headers, event.headers);
  const body = definition.body && check('body', definition.body, readJson(event));
  if (issues.length > 0) throw new InvalidRequest(issues);
  return { params, query, headers, body } as RequestParts<Definition>;
}

/** Reads the raw string, because the gateway joins repeated parameters with a comma into what looks like one value. */
function readQuery(rawQueryString: string, issues: Issue[]): Record<string, string> {
  if (!isPercentEncodedUtf8(rawQueryString)) {
    issues.push({ path: 'query', message: 'must be percent-encoded UTF-8' });
    return {};
  }
  const parameters = new URLSearchParams(rawQueryString);
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1)
      issues.push({ path: name.slice(0, 100) || 'query', message: 'must be given only once' });
  }
  return Object.fromEntries(parameters);
}

function isPercentEncodedUtf8(rawQueryString: string): boolean {
  try {
    decodeURIComponent(rawQueryString);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of the request's body. */
export function bodyBytes(event: HttpEvent): Buffer {
  return Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
}

function readJson(event: HttpEvent): unknown {
  const mediaType = event.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    throw new UnsupportedMediaType('Send the body as Content-Type: application/json.');
  const bytes = bodyBytes(event);
  if (bytes.length > maxBodyBytes) throw new PayloadTooLarge(`The body must be at most ${maxBodyBytes} bytes.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new InvalidRequest([{ path: 'body', message: 'must be JSON in UTF-8' }], { cause });
  }
}
