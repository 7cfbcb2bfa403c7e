import { type ErrorCode, errorStatuses, repeatableStatuses } from '#shared/contracts/common/errors.ts';
import { rateLimitHeaders } from '#shared/contracts/organization/rate-limit.ts';
import { errorExample } from './error-schemas.ts';
import { errorTexts, type GatewayErrorName, gatewayErrors, type OwnErrorTexts } from './error-texts.ts';
import type { JsonSchema } from './json-schema.ts';

/** A part of a document. */
export type Json = { readonly [name: string]: unknown };

const integer: JsonSchema = { type: 'integer', minimum: 0 };

const headers: Readonly<Record<string, Json>> = {
  [rateLimitHeaders.limit]: {
    description: 'Points per minute of the organization, or of the person who calls.',
    schema: integer,
    example: 1000,
  },
  [rateLimitHeaders.remaining]: {
    description: 'Points left in this minute.',
    schema: integer,
    example: 997,
  },
  [rateLimitHeaders.reset]: {
    description: 'When this minute ends, in seconds since 1970 (UTC).',
    schema: { ...integer, format: 'int64' },
    example: 1_772_442_060,
  },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: integer, example: 1 },
  'www-authenticate': {
    description: 'Why the token was rejected (RFC 6750).',
    schema: { type: 'string' },
    example: 'Bearer error="invalid_token"',
  },
  'cache-control': {
    description: 'Whether the answer can be cached.',
    schema: { type: 'string' },
    example: 'no-store',
  },
  'apigw-requestid': {
    description: 'Identifier of the request. Give it to the operator when you report a problem.',
    schema: { type: 'string' },
    example: 'aBcDeFgHiJkLmNo=',
  },
};
const pointsHeaders = Object.values(rateLimitHeaders);

/** The headers that are present on every answer that refers to them. */
export const headerComponents: Json = Object.fromEntries(
  [...pointsHeaders, 'retry-after', 'cache-control', 'apigw-requestid'].map((name) => [
    name,
    { required: true, ...headers[name] },
  ]),
);

/** References to the components of these headers. */
export function headerReferences(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers that the service sends, and that the gateway does not send with the same status. */
function optionalHeaders(...names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

/** The headers of every answer that a function sends to an organization. */
export const answerHeaders: Json = headerReferences(...pointsHeaders, 'cache-control', 'apigw-requestid');

/** The headers of a function's answer to a request that belongs to no token. */
export const tokenlessHeaders: Json = headerReferences('cache-control', 'apigw-requestid');

/** The errors that an operation can return: error codes of the service, and errors of the gateway. */
export type PossibleErrors = {
  readonly codes: readonly ErrorCode[];
  readonly gateway: readonly GatewayErrorName[];
  /** Set for a self-authenticated operation. Its errors have texts of their own, and no headers about points. */
  readonly selfAuthenticated?: { readonly operationId: string; readonly texts: OwnErrorTexts };
};

/** The error answers of an operation by status. Each has a name, by which operations can share it as a component. */
export function errorAnswers(possible: PossibleErrors): ReadonlyMap<number, readonly [name: string, Json]> {
  const { codes, gateway } = possible;
  const statuses = new Set([
    ...codes.map((code) => errorStatuses[code]),
    ...gateway.map((name) => gatewayErrors[name].status),
  ]);
  return new Map(
    [...statuses]
      .sort((one, other) => one - other)
      .map((status) => {
        const ofStatus = {
          ...possible,
          codes: codes.filter((code) => errorStatuses[code] === status),
          gateway: gateway.filter((name) => gatewayErrors[name].status === status),
        };
        return [status, [nameOf(ofStatus), errorAnswer(status, ofStatus)]];
      }),
  );
}

function nameOf({ codes, gateway, selfAuthenticated }: PossibleErrors): string {
  if (codes.length === 0) return `Gateway${gateway.map(capitalized).join('Or')}`;
  const owner = selfAuthenticated ? pascalCase(selfAuthenticated.operationId) : '';
  return `${owner}${codes.map(pascalCase).join('Or')}`;
}

function errorAnswer(status: number, possible: PossibleErrors): Json {
  const { codes, gateway, selfAuthenticated } = possible;
  const texts = { ...errorTexts, ...selfAuthenticated?.texts };
  const own = {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: { code: { type: 'string', enum: codes } },
  };
  const ofGateway = { $ref: '#/components/schemas/GatewayError' };
  const schemas = [...(codes.length > 0 ? [own] : []), ...(gateway.length > 0 ? [ofGateway] : [])];
  return {
    description: [
      ...codes.map((code) => sentence(`\`${code}\``, texts[code])),
      ...gateway.map((name) => sentence(`\`${gatewayErrors[name].message}\` (of the gateway)`, gatewayErrors[name])),
    ].join('\n\n'),
    headers: {
      ...(status === 401 && selfAuthenticated && { 'www-authenticate': ownChallenge }),
      ...(gateway.length > 0 ? optionalHeaders : headerReferences)(...headersOf(status, possible)),
      ...(codes.includes('no_organization') && optionalHeaders(...pointsHeaders)), // nobody's points are counted then
    },
    content: {
      'application/json': {
        // Not `oneOf`: generated clients ignore that the gateway's error has no other field, and would find two matches.
        schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
        examples: Object.fromEntries([
          ...codes.map((code) => [
            code,
            { summary: capitalized(texts[code].cause), value: errorExample(code, texts[code].message) },
          ]),
          ...gateway.map((name) => [
            `gateway_${name}`,
            { summary: capitalized(gatewayErrors[name].cause), value: { message: gatewayErrors[name].message } },
          ]),
        ]),
      },
    },
  };
}

const ownChallenge: Json = { description: 'How to authenticate.', schema: { type: 'string' } };

function headersOf(status: number, { codes, selfAuthenticated }: PossibleErrors): readonly string[] {
  return [
    ...(status === 401 && !selfAuthenticated ? ['www-authenticate'] : []),
    ...(repeatableStatuses.includes(status) && codes.length > 0 ? ['retry-after'] : []),
    ...(codes.length > 0 && status !== 401 && !selfAuthenticated ? pointsHeaders : []),
    ...(codes.length > 0 ? ['cache-control'] : []),
    'apigw-requestid',
  ];
}

function sentence(name: string, { cause, remedy }: { readonly cause: string; readonly remedy: string }): string {
  return `${name}: ${cause}. What to do: ${remedy}.`;
}

function pascalCase(code: string): string {
  return code.split(/[_-]/).map(capitalized).join('');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
