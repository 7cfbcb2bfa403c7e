import { type ErrorCode, errorStatuses, repeatableStatuses } from '../../shared/contracts/errors.ts';
import { rateLimitHeaders } from '../../shared/contracts/rate-limit.ts';
import { errorExample } from './error-schemas.ts';
import { errorTexts, type GatewayErrorName, gatewayErrors } from './error-texts.ts';
import type { JsonSchema } from './json-schema.ts';

/** A part of a document. */
export type Json = { readonly [name: string]: unknown };

const integer: JsonSchema = { type: 'integer', minimum: 0 };

const headers: Readonly<Record<string, Json>> = {
  [rateLimitHeaders.limit]: {
    description: 'Points per minute of the organization.',
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

/** The errors that an operation can return: error codes of the service, and errors of the gateway. */
export type PossibleErrors = { readonly codes: readonly ErrorCode[]; readonly gateway: readonly GatewayErrorName[] };

/** The error answers of an operation by status. Each has a name, by which operations can share it as a component. */
export function errorAnswers({ codes, gateway }: PossibleErrors): ReadonlyMap<number, readonly [name: string, Json]> {
  const statuses = new Set([
    ...codes.map((code) => errorStatuses[code]),
    ...gateway.map((name) => gatewayErrors[name].status),
  ]);
  return new Map(
    [...statuses]
      .sort((one, other) => one - other)
      .map((status) => {
        const ofStatus = {
          codes: codes.filter((code) => errorStatuses[code] === status),
          gateway: gateway.filter((name) => gatewayErrors[name].status === status),
        };
        return [status, [nameOf(ofStatus), errorAnswer(status, ofStatus)]];
      }),
  );
}

function nameOf({ codes, gateway }: PossibleErrors): string {
  return codes.length > 0 ? codes.map(pascalCase).join('Or') : `Gateway${gateway.map(capitalized).join('Or')}`;
}

function errorAnswer(status: number, { codes, gateway }: PossibleErrors): Json {
  const own = {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: { code: { enum: codes } },
  };
  const ofGateway = { $ref: '#/components/schemas/GatewayError' };
  const schemas = [...(codes.length > 0 ? [own] : []), ...(gateway.length > 0 ? [ofGateway] : [])];
  return {
    description: [
      ...codes.map((code) => sentence(`\`${code}\``, errorTexts[code])),
      ...gateway.map((name) => sentence(`\`${gatewayErrors[name].message}\` (of the gateway)`, gatewayErrors[name])),
    ].join('\n\n'),
    headers: (gateway.length > 0 ? optionalHeaders : headerReferences)(...headersOf(status, codes)),
    content: {
      'application/json': {
        schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas },
        examples: Object.fromEntries([
          ...codes.map((code) => [code, { summary: capitalized(errorTexts[code].cause), value: errorExample(code) }]),
          ...gateway.map((name) => [
            `gateway_${name}`,
            { summary: capitalized(gatewayErrors[name].cause), value: { message: gatewayErrors[name].message } },
          ]),
        ]),
      },
    },
  };
}

function headersOf(status: number, codes: readonly ErrorCode[]): readonly string[] {
  return [
    ...(status === 401 ? ['www-authenticate'] : []),
    ...(repeatableStatuses.includes(status) && codes.length > 0 ? ['retry-after'] : []),
    ...(codes.length > 0 && status !== 401 ? pointsHeaders : []),
    ...(codes.length > 0 ? ['cache-control'] : []),
    'apigw-requestid',
  ];
}

function sentence(name: string, { cause, remedy }: { readonly cause: string; readonly remedy: string }): string {
  return `${name}: ${cause}. What to do: ${remedy}.`;
}

function pascalCase(code: string): string {
  return code.split('_').map(capitalized).join('');
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
