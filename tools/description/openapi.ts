import type { Endpoint, PublicEndpoint } from '#shared/contracts/common/endpoint.ts';
import type { ErrorCode } from '#shared/contracts/common/errors.ts';
import { endpoints } from '#shared/contracts/endpoints.ts';
import { IdempotencyHeaders } from '#shared/contracts/organization/idempotency.ts';
import { publicEndpoints } from '#shared/contracts/public-endpoints.ts';
import { KeyRateLimited } from '#shared/runtime/errors.ts';
import { answerHeaders, headerComponents, type Json, type PossibleErrors, tokenlessHeaders } from './answers.ts';
import { eventOperations } from './events/refused-events.ts';
import { insightOperations } from './insights/insight-operations.ts';
import { errorReferences, ofEveryRoute, operation } from './operation.ts';
import { about, contact, licenseOf, type Product, securityScheme, tags } from './overview.ts';
import { schemaComponents } from './schema-components.ts';
import { type SelfAuthenticatedOperation, selfAuthenticatedOperations } from './self-authenticated-operations.ts';
import type { AnyOperationTexts, OperationsTexts } from './texts.ts';
import { transcriptionOperations } from './transcriptions/transcription-operations.ts';
import { callbacksOfWebhook } from './webhooks/sent-webhooks.ts';
import { webhookOperations } from './webhooks/webhook-operations.ts';

const operationTexts: OperationsTexts<typeof endpoints> = {
  ...transcriptionOperations,
  ...insightOperations,
  ...eventOperations,
  ...webhookOperations,
};
const securityName = 'accessToken';

/** The OpenAPI 3.1 description of the API, built from the contract and the texts in this folder. */
export function openApi(
  { version, license }: Product,
  selfAuthenticated: readonly SelfAuthenticatedOperation[] = selfAuthenticatedOperations,
): Json {
  const errors = new Map<string, Json>();
  const operations = [
    ...Object.entries(endpoints).map(([name, endpoint]) => {
      const texts: AnyOperationTexts = operationTexts[name as keyof typeof endpoints];
      return [endpoint, tokenOperation(endpoint, texts, errors)] as const;
    }),
    ...selfAuthenticated.flatMap((own) => operationsOfRoute(own, errors)),
    ...Object.entries(publicEndpoints).map(
      ([name, endpoint]) =>
        [endpoint, publicOperations[name as keyof typeof publicEndpoints](endpoint, errors)] as const,
    ),
  ];
  const paths: Record<string, Record<string, Json>> = {};
  for (const [{ path, method }, described] of operations) {
    const template = path.replace('+}', '}'); // OpenAPI has no parameter of several segments
    paths[template] = { ...paths[template], [method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.1',
    info: { ...about, version, contact, license: licenseOf(license) },
    servers: [{ url: '/', description: 'The deployment that serves this document.' }],
    security: [{ [securityName]: [] }],
    tags,
    paths,
    components: {
      schemas: schemaComponents(),
      responses: Object.fromEntries([...errors].sort(([one], [other]) => (one < other ? -1 : 1))),
      headers: headerComponents,
      securitySchemes: {
        [securityName]: securityScheme,
        ...Object.fromEntries(
          selfAuthenticated.flatMap(({ texts: { security } }) => (security ? [[security.name, security.scheme]] : [])),
        ),
      },
    },
  };
}

/** Public endpoints have their own answers, so each has its own function. A missing one does not compile. */
const publicOperations: Readonly<Record<keyof typeof publicEndpoints, typeof descriptionOperation>> = {
  getApiDescription: descriptionOperation,
};

function tokenOperation(endpoint: Endpoint, texts: AnyOperationTexts, errors: Map<string, Json>): Json {
  const { right, points, pointsPerHundredOf: list } = endpoint;
  const unit = list === undefined ? '' : ` for each started hundred of \`${list}\``;
  return operation(endpoint, texts, errors, {
    limit: `Costs ${points} ${points === 1 ? 'point' : 'points'} of the rate limit${unit}.${right === 'edit' ? ' A person needs the role of an editor.' : ''}`,
    attributes: {
      'x-right': right,
      'x-rate-limit-points': points,
      ...(endpoint === endpoints.createWebhook && {
        callbacks: callbacksOfWebhook((name) => `#/components/schemas/${name}`),
      }),
      ...(list !== undefined && { 'x-rate-limit-points-per-hundred-of': list }),
    },
    headers: answerHeaders,
    possible: possibleErrors(endpoint, texts),
  });
}

/** What a client sees that follows a redirect. The other server sends it. */
const afterRedirect = {
  200: {
    description: 'The file, for a client that follows the redirect.',
    content: { 'application/octet-stream': {} },
  },
};

/** The operations of a route: one, or the same again for HEAD under its own id. */
function operationsOfRoute(own: SelfAuthenticatedOperation, errors: Map<string, Json>) {
  const { path, method, operationId, answersHead, successStatus } = own.endpoint;
  const operation = selfAuthenticatedOperation(own, errors);
  const described =
    successStatus === 302
      ? { ...operation, responses: { ...afterRedirect, ...Object(operation.responses) } }
      : operation;
  const head = { ...described, operationId: `${operationId}-head` };
  return [[{ path, method }, described] as const, ...(answersHead ? [[{ path, method: 'HEAD' }, head] as const] : [])];
}

function selfAuthenticatedOperation({ endpoint, texts }: SelfAuthenticatedOperation, errors: Map<string, Json>): Json {
  const { operationId, body, requestsPerMinutePerKey: limit } = endpoint;
  const ownTexts = {
    rate_limited: {
      cause: `more than ${limit} requests in this minute`,
      remedy: 'wait as long as `Retry-After` says',
      message: new KeyRateLimited({ limit, resetsAt: 0 }).message,
    },
    ...texts.errors,
  };
  const ofBody: readonly ErrorCode[] = body ? ['payload_too_large', 'unsupported_media_type'] : [];
  const codes = new Set<ErrorCode>([
    'invalid_request',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    ...ofBody,
    ...(Object.keys(texts.errors) as ErrorCode[]),
  ]);
  return operation(endpoint, texts, errors, {
    limit: `At most ${limit} requests a minute.`,
    attributes: { security: texts.security ? [{ [texts.security.name]: [] }] : [] },
    headers: tokenlessHeaders,
    possible: { codes: [...codes], gateway: ofEveryRoute, selfAuthenticated: { operationId, texts: ownTexts } },
  });
}

/** Adds the errors that follow from the parts of an endpoint to those that it lists itself. */
function possibleErrors({ right, body, headers }: Endpoint, { errors }: AnyOperationTexts): PossibleErrors {
  const ofBody: readonly ErrorCode[] = body ? ['payload_too_large', 'unsupported_media_type'] : [];
  const ofHeaders: readonly ErrorCode[] =
    headers === IdempotencyHeaders ? ['idempotency_key_in_use', 'idempotency_key_reused'] : [];
  const ofAll: readonly ErrorCode[] = [
    'invalid_request',
    'unauthorized',
    'no_organization',
    ...(right === 'edit' ? ['not_an_editor' as const] : []),
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ];
  return {
    codes: [...ofAll, ...errors, ...ofBody, ...ofHeaders],
    gateway: [...ofEveryRoute, 'unauthorized'],
  };
}

/** The operation of the description: it needs no token and costs no points. */
function descriptionOperation({ operationId, tag, successStatus }: PublicEndpoint, errors: Map<string, Json>): Json {
  const headers = {
    etag: { description: 'Tag of this version of the document.', schema: { type: 'string' }, example: 'W/"k3Jx0b9Q"' },
    ...tokenlessHeaders,
  };
  return {
    operationId,
    tags: [tag],
    summary: 'Get this description',
    description: 'Returns this document. The call needs no token and costs no points.',
    security: [],
    parameters: [
      {
        name: 'if-none-match',
        in: 'header',
        description: 'The `etag` of a document that you have. The document is not sent again if it is unchanged.',
        schema: { type: 'string' },
        example: 'W/"k3Jx0b9Q"',
      },
    ],
    responses: {
      [successStatus]: {
        description: 'The description.',
        headers,
        content: { 'application/json': { schema: { type: 'object', description: 'An OpenAPI 3.1 document.' } } },
      },
      304: { description: 'Your document is current. The body is empty.', headers },
      ...errorReferences({ codes: [], gateway: ofEveryRoute }, errors),
    },
  };
}
