import type { Endpoint } from '#shared/contracts/common/endpoint.ts';
import type { Json } from './answers.ts';
import { errorResponses } from './error-schemas.ts';
import { eventResponses } from './events/refused-events.ts';
import { insightResponses } from './insights/insight-schemas.ts';
import { sessionNetworkResponses } from './insights/session-network-schemas.ts';
import { type Direction, type JsonSchema, jsonSchemas } from './json-schema.ts';
import type { DescribedSchema } from './texts.ts';
import { transcriptionRequests, transcriptionResponses } from './transcriptions/transcription-schemas.ts';
import { noticeDiscriminator } from './webhooks/notice-texts.ts';
import { webhookRequests, webhookResponses } from './webhooks/webhook-schemas.ts';

const requests = { ...transcriptionRequests, ...webhookRequests };
const responses = {
  ...transcriptionResponses,
  ...insightResponses,
  ...sessionNetworkResponses,
  ...eventResponses,
  ...webhookResponses,
  ...errorResponses,
};

/** A JSON Schema of an object. */
export type ObjectSchema = {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

/** All named schemas, with their texts. */
export function schemaComponents(): Json {
  const { Notice, ...others } = describedSchemas(responses, 'output', addressOf);
  return {
    ...describedSchemas(requests, 'input', addressOf),
    ...others,
    Notice: { ...Object(Notice), discriminator: noticeDiscriminator(addressOf) },
  };
}

/** A reference to a named schema, or to an array of one. Throws for any other schema. */
export function reference(schema: NonNullable<Endpoint['response']>): JsonSchema {
  const [name] =
    Object.entries({ ...requests, ...responses }).find(([, described]) => described.schema === schema) ?? [];
  if (name) return { $ref: addressOf(name) };
  const { element } = schema._zod.def as { element?: NonNullable<Endpoint['response']> };
  if (element) return { type: 'array', items: reference(element) };
  throw new Error('A schema of the contract has no name among the described ones.');
}

const addressOf = (name: string) => `#/components/schemas/${name}`;

/** Named schemas as JSON Schema, with their texts. A schema that contains another named one refers to it by `addressOf(name)`. */
export function describedSchemas(
  described: Readonly<Record<string, DescribedSchema>>,
  direction: Direction,
  addressOfName: (name: string) => string,
): Json {
  const schemas = Object.fromEntries(Object.entries(described).map(([name, { schema }]) => [name, schema]));
  return Object.fromEntries(
    Object.entries(jsonSchemas(schemas, direction, addressOfName)).map(([name, converted]) => [
      name,
      withTexts(converted, described[name]),
    ]),
  );
}

/** A field that the example does not have has no example of its own. */
function examplesOf(example: unknown): { readonly examples?: readonly unknown[] } {
  return example === undefined ? {} : { examples: [example] };
}

function withTexts(converted: JsonSchema, texts: DescribedSchema | undefined): JsonSchema {
  const { properties, oneOf, ...rest } = converted as ObjectSchema & { readonly oneOf?: unknown };
  const description = texts?.description;
  // Generated clients read `anyOf` as what it is, and `oneOf` as a promise that no other alternative fits.
  if (!properties) return { description, ...rest, ...(oneOf !== undefined && { anyOf: oneOf }) };
  return {
    description,
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { ...property, description: texts?.fields[name], ...examplesOf(texts?.example[name]) },
      ]),
    ),
  };
}
