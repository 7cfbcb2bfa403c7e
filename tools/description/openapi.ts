import type { Endpoint, PublicEndpoint } from '../../shared/contracts/endpoint.ts';
import { endpoints } from '../../shared/contracts/endpoints.ts';
import type { ErrorCode } from '../../shared/contracts/errors.ts';
import { IdempotencyHeaders } from '../../shared/contracts/idempotency.ts';
import { publicEndpoints } from '../../shared/contracts/public-endpoints.ts';
import {
  answerHeaders,
  errorAnswers,
  headerComponents,
  headerReferences,
  type Json,
  type PossibleErrors,
} from './answers.ts';
import { errorResponses } from './error-schemas.ts';
import { insightOperations } from './insight-operations.ts';
import { insightResponses } from './insight-schemas.ts';
import { type JsonSchema, jsonSchema, jsonSchemas } from './json-schema.ts';
import { about, type Product, securityScheme, tags } from './overview.ts';
import type { AnyOperationTexts, DescribedSchema, OperationsTexts, ParameterTexts } from './texts.ts';
import { transcriptionOperations } from './transcription-operations.ts';
import { transcriptionRequests, transcriptionResponses } from './transcription-schemas.ts';

const operationTexts: OperationsTexts<typeof endpoints> = {
  ...transcriptionOperations,
  ...insightOperations,
};
const requests = { ...transcriptionRequests };
const responses = { ...transcriptionResponses, ...insightResponses, ...errorResponses };
const securityName = 'accessToken';

/** The OpenAPI 3.1 description of the API, built from the contract and the texts in this folder. */
export function openApi({ version, license }: Product): Json {
  const errors = new Map<string, Json>();
  const operations = [
    ...Object.entries(endpoints).map(([name, endpoint]) => {
      const texts: AnyOperationTexts = operationTexts[name as keyof typeof endpoints];
      return [endpoint, operation(endpoint, texts, errors)] as const;
    }),
    ...Object.entries(publicEndpoints).map(
      ([name, endpoint]) =>
        [endpoint, publicOperations[name as keyof typeof publicEndpoints](endpoint, errors)] as const,
    ),
  ];
  const paths: Record<string, Record<string, Json>> = {};
  for (const [{ path, method }, described] of operations) {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  return {
    openapi: '3.1.1',
    info: { ...about, version, license: { name: license, identifier: license } },
    servers: [{ url: '/', description: 'The deployment that serves this document.' }],
    security: [{ [securityName]: [] }],
    tags,
    paths,
    components: {
      schemas: { ...components(requests, 'input'), ...components(responses, 'output') },
      responses: Object.fromEntries([...errors].sort(([one], [other]) => (one < other ? -1 : 1))),
      headers: headerComponents,
      securitySchemes: { [securityName]: securityScheme },
    },
  };
}

/** Endpoints without a token have their own answers, so each has its own function. A missing one does not compile. */
const publicOperations: Readonly<Record<keyof typeof publicEndpoints, typeof descriptionOperation>> = {
  getApiDescription: descriptionOperation,
};

function operation(endpoint: Endpoint, texts: AnyOperationTexts, errors: Map<string, Json>): Json {
  const { points, body, successStatus, response } = endpoint;
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: texts.summary,
    description: `${texts.description}\n\nCosts ${points} ${points === 1 ? 'point' : 'points'} of the rate limit.`,
    'x-rate-limit-points': points,
    ...withParameters(endpoint, texts),
    ...(body &&
      texts.body && {
        requestBody: {
          description: texts.body.description,
          required: true,
          content: { 'application/json': { schema: reference(body), examples: texts.body.examples } },
        },
      }),
    responses: {
      [successStatus]: {
        description: texts.success.description,
        headers: { ...inlineHeaders(texts.success.headers), ...answerHeaders },
        ...(response && {
          content: { 'application/json': { schema: reference(response), examples: texts.success.examples } },
        }),
      },
      ...errorReferences(possibleErrors(endpoint, texts), errors),
    },
  };
}

/** Adds the errors that follow from the parts of an endpoint to those that it lists itself. */
function possibleErrors({ body, headers }: Endpoint, { errors }: AnyOperationTexts): PossibleErrors {
  const ofBody: readonly ErrorCode[] = body ? ['payload_too_large', 'unsupported_media_type'] : [];
  const ofHeaders: readonly ErrorCode[] =
    headers === IdempotencyHeaders ? ['idempotency_key_in_use', 'idempotency_key_reused'] : [];
  const ofAll: readonly ErrorCode[] = [
    'invalid_request',
    'unauthorized',
    'rate_limited',
    'internal_error',
    'service_unavailable',
  ];
  return {
    codes: [...ofAll, ...errors, ...ofBody, ...ofHeaders],
    gateway: [...ofEveryRoute, 'unauthorized', 'forbidden'],
  };
}

const ofEveryRoute = ['badRequest', 'tooLarge', 'throttled', 'headersTooLarge', 'internal', 'unavailable'] as const;

function errorReferences(possible: PossibleErrors, components: Map<string, Json>): Json {
  return Object.fromEntries(
    [...errorAnswers(possible)].map(([status, [name, answer]]) => {
      components.set(name, answer);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** The operation of the description: it needs no token and costs no points. */
function descriptionOperation({ operationId, tag, successStatus }: PublicEndpoint, errors: Map<string, Json>): Json {
  const headers = {
    etag: { description: 'Tag of this version of the document.', schema: { type: 'string' }, example: 'W/"k3Jx0b9Q"' },
    ...headerReferences('cache-control', 'apigw-requestid'),
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

function withParameters(
  { params, query, headers }: Endpoint,
  texts: AnyOperationTexts,
): { parameters?: readonly Json[] } {
  const parameters = [
    ...parametersIn('path', params, texts.params),
    ...parametersIn('query', query, texts.query),
    ...parametersIn('header', headers, texts.headers),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function parametersIn(
  place: 'path' | 'query' | 'header',
  schema: Endpoint['query'],
  texts: Readonly<Record<string, ParameterTexts>> = {},
): readonly Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    ...texts[name],
    required: required.includes(name),
    schema: property,
  }));
}

type ObjectSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

function inlineHeaders(headers: Readonly<Record<string, ParameterTexts>> = {}): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, texts]) => [name, { ...texts, required: true, schema: { type: 'string' } }]),
  );
}

/** A reference to a named schema, or to an array of one. */
function reference(schema: NonNullable<Endpoint['response']>): JsonSchema {
  const [name] =
    Object.entries({ ...requests, ...responses }).find(([, described]) => described.schema === schema) ?? [];
  if (name) return { $ref: addressOf(name) };
  const { element } = schema._zod.def as { element?: NonNullable<Endpoint['response']> };
  if (element) return { type: 'array', items: reference(element) };
  throw new Error('A schema of the contract has no name among the described ones.');
}

const addressOf = (name: string) => `#/components/schemas/${name}`;

function components(described: Readonly<Record<string, DescribedSchema>>, direction: 'input' | 'output'): Json {
  const schemas = Object.fromEntries(Object.entries(described).map(([name, { schema }]) => [name, schema]));
  return Object.fromEntries(
    Object.entries(jsonSchemas(schemas, direction, addressOf)).map(([name, converted]) => [
      name,
      withTexts(converted, described[name]),
    ]),
  );
}

function withTexts(converted: JsonSchema, texts: DescribedSchema | undefined): JsonSchema {
  const { properties = {}, ...rest } = converted as ObjectSchema;
  return {
    description: texts?.description,
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { ...property, description: texts?.fields[name], examples: [texts?.example[name]] },
      ]),
    ),
  };
}
