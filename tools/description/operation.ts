import type { Endpoint, RequestSchemas, SelfAuthenticatedEndpoint } from '#shared/contracts/common/endpoint.ts';
import { errorAnswers, type Json, type PossibleErrors } from './answers.ts';
import { jsonSchema } from './json-schema.ts';
import { rowContent, rowHeaders } from './row-content.ts';
import { type ObjectSchema, reference } from './schema-components.ts';
import type { AnyOperationTexts, ParameterTexts, Respelling } from './texts.ts';

/** The parts of a description that differ between the kinds of endpoints. */
type KindOfOperation = {
  readonly limit: string;
  readonly attributes: Json;
  readonly headers: Json;
  readonly possible: PossibleErrors;
};

/** Describes one operation. Its error responses are added to `errors` as components. */
export function operation(
  endpoint: Endpoint | SelfAuthenticatedEndpoint,
  texts: Omit<AnyOperationTexts, 'errors'>,
  errors: Map<string, Json>,
  { limit, attributes, headers, possible }: KindOfOperation,
): Json {
  const { body, successStatus, response } = endpoint;
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: texts.summary,
    description: `${texts.description}\n\n${limit}`,
    ...attributes,
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
        headers: { ...inlineHeaders(texts.success.headers), ...rowHeaders(response), ...headers },
        ...(response && {
          content: {
            'application/json': { schema: reference(response), examples: texts.success.examples },
            ...rowContent(response),
          },
        }),
      },
      ...errorReferences(possible, errors),
    },
  };
}

/** Errors that the gateway can return on every route. */
export const ofEveryRoute = [
  'badRequest',
  'tooLarge',
  'throttled',
  'headersTooLarge',
  'internal',
  'unavailable',
] as const;

/** References to the error responses, which are added to `components`. */
export function errorReferences(possible: PossibleErrors, components: Map<string, Json>): Json {
  return Object.fromEntries(
    [...errorAnswers(possible)].map(([status, [name, answer]]) => {
      components.set(name, answer);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function withParameters(
  { params, query, headers }: RequestSchemas,
  texts: Omit<AnyOperationTexts, 'errors'>,
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
  texts: Readonly<Record<string, ParameterTexts | Respelling>> = {},
): readonly Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as ObjectSchema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const text = texts[name];
    if (text && 'sameAs' in text) return [];
    const others = Object.keys(texts).filter((other) => Object(texts[other]).sameAs === name);
    const remarks = [property.description, ...others.map((other) => `Can also be spelled \`${other}\`.`)].filter(
      Boolean,
    );
    const schema = { ...property, ...(remarks.length > 0 && { description: remarks.join(' ') }) };
    return [{ name, in: place, ...text, required: required.includes(name), schema }];
  });
}

function inlineHeaders(headers: Readonly<Record<string, ParameterTexts>> = {}): Json {
  return Object.fromEntries(
    Object.entries(headers).map(([name, texts]) => [name, { ...texts, required: true, schema: { type: 'string' } }]),
  );
}
