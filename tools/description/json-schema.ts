import * as z from 'zod';
import { Timestamp, UtcTimestamp, Uuid } from '../../shared/contracts/fields.ts';
import { AccessLink } from '../../shared/contracts/transcription.ts';

/** A JSON Schema, as the documents hold it. */
export type JsonSchema = { readonly [keyword: string]: unknown };
/** What is read by the service, or written by it. */
export type Direction = 'input' | 'output';
type Schema = z.core.$ZodType;
type Context = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/** The names that the world has for what these schemas check by a pattern: for generators and editors, the pattern counts. */
const formats = new Map<Schema, string>([
  [Uuid, 'uuid'],
  [Timestamp, 'date-time'],
  [UtcTimestamp, 'date-time'],
  [AccessLink.shape.accessLink, 'uri'],
]);

const options = (io: Direction) => ({
  io,
  target: 'draft-2020-12' as const,
  unrepresentable: 'any' as const,
  override: (context: Context) => complete(context, io),
});

/** One schema, with whatever it is made of. */
export function jsonSchema(schema: Schema, io: Direction): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, options(io));
  return converted;
}

/** Schemas by name; where one of them is part of another, that refers to it by `addressOf(name)`. */
export function jsonSchemas(
  named: Readonly<Record<string, Schema>>,
  io: Direction,
  addressOf: (name: string) => string,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { ...options(io), uri: addressOf });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...converted }]) => [name, converted]),
  );
}

/** What zod itself does not say: the ends of pipes, the bounds that are none, the formats, and that answers may grow. */
function complete({ zodSchema, jsonSchema: json }: Context, io: Direction): void {
  const { def } = (zodSchema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') completePipe(json, def, io);
  if (def.type === 'default' && endsInNumber(def.innerType)) json.default = def.defaultValue as number;
  if (json.type === 'integer') completeInteger(json);
  if (json.type) for (const pattern of json.allOf ?? []) pattern.type = json.type; // without it, generators make it `any`
  if (def.type === 'object' && !def.catchall) delete json.additionalProperties; // a new field breaks no client
  const format = formats.get(zodSchema);
  if (format) json.format = format;
}

/** A transform keeps the form of what it is given (lower case, UTC); text that becomes a number is described as the number. */
function completePipe(json: z.core.JSONSchema.BaseSchema, def: z.core.$ZodPipeDef, io: Direction): void {
  if (endsInNumber(def.out) && io === 'input') {
    for (const keyword of Object.keys(json)) delete json[keyword];
    Object.assign(json, jsonSchema(def.out, 'output'));
  }
  if (def.out._zod.def.type === 'transform' && io === 'output') Object.assign(json, jsonSchema(def.in, 'input'));
}

function endsInNumber(schema: Schema): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'number' || (def.type === 'pipe' && endsInNumber(def.out));
}

/** zod names the largest whole numbers of JavaScript as bounds; a client has to know that 32 bits are too few. */
function completeInteger(json: z.core.JSONSchema.BaseSchema): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.maximum === undefined) json.format = 'int64';
}
