import * as z from 'zod';
import { acceptedYears, Timestamp, UtcTimestamp, Uuid } from '#shared/contracts/common/fields.ts';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';

/** A JSON Schema in the documents. */
export type JsonSchema = { readonly [keyword: string]: unknown };
/** Whether the service reads the value (input) or writes it (output). */
export type Direction = 'input' | 'output';
type Schema = z.core.$ZodType;
type Context = Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0];

/** The standard format names of schemas that check a pattern. Generators and editors still use the pattern. */
const formats = new Map<Schema, string>([
  [Uuid, 'uuid'],
  [Timestamp, 'date-time'],
  [UtcTimestamp, 'date-time'],
  [AccessLink.shape.accessLink, 'uri'],
]);

/** Sentences about rules that a schema checks and that JSON Schema cannot express, by schema. */
export type Rules = ReadonlyMap<Schema, string>;
const noRules: Rules = new Map();

const options = (io: Direction, rules = noRules) => ({
  io,
  target: 'draft-2020-12' as const,
  unrepresentable: 'any' as const,
  override: (context: Context) => complete(context, io, rules),
});

/** One schema as JSON Schema, with its parts inlined. A part with a rule is described by it. */
export function jsonSchema(schema: Schema, io: Direction, rules?: Rules): JsonSchema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, options(io, rules));
  return converted;
}

/** Named schemas as JSON Schema. A schema that contains another named one refers to it by `addressOf(name)`. */
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

/** Adds what zod leaves out: the ends of pipes, missing bounds, formats, and that objects can get new fields. */
function complete({ zodSchema, jsonSchema: json }: Context, io: Direction, rules: Rules): void {
  const { def } = (zodSchema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') completePipe(json, def, io);
  if (def.type === 'default' && endsInNumber(def.innerType)) json.default = def.defaultValue as number;
  if (json.type === 'integer') completeInteger(json);
  if (def.type === 'number' && json.type === 'number') json.format = 'double'; // generators for Go would use 32 bits
  if (json.type) for (const pattern of json.allOf ?? []) pattern.type = json.type; // without a type, generators use `any`
  if (def.type === 'object' && !def.catchall) delete json.additionalProperties; // a new field must not break clients
  const format = formats.get(zodSchema);
  if (format) json.format = format;
  const rule = zodSchema === Timestamp && io === 'input' ? acceptedTimes : rules.get(zodSchema);
  if (rule) json.description = rule;
}

/** What every time in a query or an event must be, besides its format. */
const acceptedTimes = `With \`Z\` or an offset, such as \`+01:00\` or \`+0100\`, in the years ${acceptedYears.join(' to ')} (UTC).`;

/** Describes a transformed value (lower case, UTC) by its input, and a text that becomes a number as the number. */
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

/** Removes zod's default bounds (the safe integers), and tells clients that 32 bits are too few. */
function completeInteger(json: z.core.JSONSchema.BaseSchema): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  if (json.maximum === undefined) json.format = 'int64';
}
