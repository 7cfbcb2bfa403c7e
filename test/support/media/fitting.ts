import fc from 'fast-check';
import { description } from '../docs/described.ts';

type Schema = Record<string, unknown>;
/** Chooses the values of a field by its name and schema. Undefined leaves them to the schema. */
type Choose = (name: string, schema: Schema) => fc.Arbitrary<unknown> | undefined;

/** Values that match a schema of the description of the API, or of the events. */
export function fitting(schema: Schema, choose: Choose = () => undefined): fc.Arbitrary<unknown> {
  const { type, format, minimum, maximum, minItems, maxItems } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (typeof schema.$ref === 'string') return fitting(referred(schema.$ref), choose);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map((each) => fitting(each, choose)));
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => fitting({ ...schema, type: each }, choose)));
  if (type === 'null') return fc.constant(null);
  if (type === 'integer') return fc.integer({ min: Number(minimum ?? -1000), max: Number(maximum ?? 1000) });
  if (type === 'number')
    return fc
      .double({ min: Number(minimum ?? -1e6), max: Number(maximum ?? 1e6), noNaN: true })
      .map((value) => value + 0); // JSON has no -0
  if (type === 'array') {
    const [minLength, maxLength] = [Number(minItems ?? 1), Math.min(20, Number(maxItems ?? 20))];
    return fc.array(fitting(schema.items as Schema, choose), { minLength, maxLength });
  }
  if (type === 'object') return fittingObject(schema, choose);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') {
    const [min, max] = [new Date('1971-01-01T00:00:00Z'), new Date('2098-01-01T00:00:00Z')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  return fittingText(schema);
}

function fittingText({ pattern, allOf = [], minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const all = [pattern, ...(allOf as Schema[]).map((each) => each.pattern)].filter((each) => typeof each === 'string');
  if (all[0] === undefined)
    return fc.string({ minLength: Number(minLength), maxLength: Math.min(60, Number(maxLength)) });
  const text = fc.stringMatching(new RegExp(all[0], 'u'), { maxLength: Number(maxLength) });
  return text.filter((value) => all.every((each) => new RegExp(each, 'u').test(value)));
}

function fittingObject({ properties = {}, required = [] }: Schema, choose: Choose): fc.Arbitrary<unknown> {
  const values: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, each] of Object.entries(properties as Record<string, Schema>))
    values[name] = choose(name, each) ?? fitting(each, choose);
  return fc.record(values, { requiredKeys: required as string[] });
}

function referred(reference: string): Schema {
  const parts = reference.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>((value, part) => (value as Schema)[part], description) as Schema;
}
