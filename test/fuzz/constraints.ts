import { Ajv2020 } from 'ajv/dist/2020.js';
import { type AnyEvent, eventSchema, type Schema } from './event-rules.ts';

const keywords = [
  ...['type', 'const', 'enum', 'pattern', 'format', 'required', 'minimum', 'maximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
];
// It stops at no error, so that an event tells everything that it breaks.
const ajv = new Ajv2020({ strict: false, logger: false, unicode: false, allErrors: true, inlineRefs: false });
ajv.addFormat('uuid', true); // the pattern says the same
ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)) && !text.startsWith('2026-02-30'));
const checks = new Map(Object.entries(eventSchema.$defs).map(([type, each]) => [type, ajv.compile(each)]));

/**
 * Each constraint of the schema, by its place in the definition of a type. Types share places, such as that of the `id`. What is no
 * object has no type, so no event breaks the first one.
 */
export const everyConstraint: readonly string[] = [
  ...new Set(Object.values(eventSchema.$defs).flatMap((each) => [...placesOf(each, '#')])),
].filter((place) => place !== '#/type');

/** The places of the constraints that an event breaks. */
export function constraintsBrokenBy(event: AnyEvent): string[] {
  const check = checks.get(String(event.type));
  if (check === undefined)
    return ['#/properties/type/const', ...(typeof event.type === 'string' ? [] : missingType(event))];
  check(event);
  return (check.errors ?? []).map(({ schemaPath }) => schemaPath);
}

function missingType(event: AnyEvent): string[] {
  return 'type' in event ? ['#/properties/type/type'] : ['#/required'];
}

function* placesOf(schema: Schema, place: string): Generator<string> {
  for (const [name, value] of Object.entries(schema)) {
    const isFormatOfPattern = name === 'format' && value !== 'date-time';
    if (keywords.includes(name) && !isFormatOfPattern) yield `${place}/${name}`;
    if (name === 'items') yield* placesOf(value as Schema, `${place}/items`);
    if (name === 'properties')
      for (const [field, each] of Object.entries(value as Record<string, Schema>))
        yield* placesOf(each, `${place}/properties/${field}`);
    if (name === 'anyOf' || name === 'allOf')
      for (const [index, each] of (value as Schema[]).entries()) yield* placesOf(each, `${place}/${name}/${index}`);
  }
}
