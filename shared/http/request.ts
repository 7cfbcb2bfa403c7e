import type { APIGatewayEventRequestContextV2, APIGatewayProxyEventV2WithRequestContext, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Endpoint } from '../contracts/endpoint.ts';
import { OrganizationId } from '../contracts/organization.ts';
import { parse } from '../contracts/parse.ts';
import { InvalidRequest, type Issue, PayloadTooLarge, Unauthorized, UnsupportedMediaType } from '../errors.ts';

/** What the gateway says of the token that it let through: a JWT authorizer its claims, the Lambda authorizer its context. */
type Authorizer = {
  readonly jwt?: { readonly claims?: Readonly<Record<string, unknown>> };
  readonly lambda?: Readonly<Record<string, unknown>> | null;
};

/** The event that an HTTP API with an authorizer sends (payload format 2.0). */
export type HttpEvent = APIGatewayProxyEventV2WithRequestContext<
  APIGatewayEventRequestContextV2 & { readonly authorizer?: Authorizer }
>;

type Parsed<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** A request after its contract: whose it is, and its parts as the endpoint's schemas make them. */
export type EndpointRequest<Definition extends Endpoint> = {
  readonly organizationId: OrganizationId;
  /** The gateway's id of the request, which its answer carries as `apigw-requestid`: no client can choose it. */
  readonly correlationId: string;
  readonly params: Parsed<Definition['params']>;
  readonly query: Parsed<Definition['query']>;
  readonly headers: Parsed<Definition['headers']>;
  readonly body: Parsed<Definition['body']>;
  readonly context: Pick<Context, 'getRemainingTimeInMillis'>;
};

type RequestParts<Definition extends Endpoint> = Omit<
  EndpointRequest<Definition>,
  'organizationId' | 'correlationId' | 'context'
>;

/** Ten thousand ids are 390 KB; nothing that the API takes is larger than this. */
const maxBodyBytes = 1024 * 1024;
const nothing = z.strictObject({});

/** The caller's organization: one claim of the token, and nothing that the client can set. Throws `Unauthorized`. */
export function organizationOf(event: HttpEvent, claimName: string): OrganizationId {
  const { jwt, lambda } = event.requestContext.authorizer ?? {};
  const claim = (jwt?.claims ?? lambda)?.[claimName];
  const parsed = OrganizationId.safeParse(claim);
  if (!parsed.success) throw new Unauthorized(`The token's claim "${claimName}" does not name an organization.`);
  return parsed.data;
}

/** The parts of the request as the contract's schemas make them; throws `InvalidRequest` with every problem that a schema finds at once. */
export function readRequest<Definition extends Endpoint>(
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
  const query = check('query', definition.query, readQuery(event.rawQueryString, issues));
  const headers = definition.headers && check('headers', definition.headers, event.headers);
  const body = definition.body && check('body', definition.body, readJson(event));
  if (issues.length > 0) throw new InvalidRequest(issues);
  return { params, query, headers, body } as RequestParts<Definition>;
}

/** From the raw string: the gateway joins repeated parameters with a comma, so they could not be told from one value. */
function readQuery(rawQueryString: string, issues: Issue[]): Record<string, string> {
  if (!isPercentEncodedUtf8(rawQueryString)) {
    issues.push({ path: 'query', message: 'must be percent-encoded UTF-8' });
    return {};
  }
  const parameters = new URLSearchParams(rawQueryString);
  for (const name of new Set(parameters.keys())) {
    if (parameters.getAll(name).length > 1)
      issues.push({ path: name.slice(0, 100), message: 'must be given only once' });
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

function readJson(event: HttpEvent): unknown {
  const mediaType = event.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json')
    throw new UnsupportedMediaType('Send the body as Content-Type: application/json.');
  const bytes = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > maxBodyBytes) throw new PayloadTooLarge(`The body must be at most ${maxBodyBytes} bytes.`);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new InvalidRequest([{ path: 'body', message: 'must be JSON in UTF-8' }], { cause });
  }
}
