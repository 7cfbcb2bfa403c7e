import type * as z from 'zod/mini';

type Schema = z.core.$ZodType;

/** A column of a table: the names that lead to its value in a row. */
export type Column = readonly string[];

/** The schema of a row: an element of a page or of an array. Undefined for an answer without rows. */
export function rowOf(response: Schema | undefined): Schema | undefined {
  const list = response && (shapeOf(response)?.results ?? response);
  const { def } = (list as z.core.$ZodTypes | undefined)?._zod ?? {};
  return def?.type === 'array' ? def.element : undefined;
}

/**
 * The columns of rows with this schema, in its order. An object within a row has a column for each of its fields. Any other
 * value has one column. Rows of several types have the columns of all of them.
 */
export function columnsOf(row: Schema): readonly Column[] {
  const { def } = (row as z.core.$ZodTypes)._zod;
  if (def.type === 'union') {
    const columns = def.options.flatMap((option) => columnsOf(option));
    return [...new Map(columns.map((column) => [column.join('.'), column])).values()];
  }
  return Object.entries(shapeOf(row) ?? {}).flatMap(([name, field]) => {
    const inner = columnsOf(field);
    return inner.length > 0 ? inner.map((column) => [name, ...column]) : [[name]];
  });
}

/** The value of a column in a row. Undefined if the row does not have it. */
export function valueAt(row: unknown, column: Column): unknown {
  return column.reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null)?.[name], row);
}

/** The fields of an object, which can be optional or null. Undefined for any other schema. */
function shapeOf(schema: Schema): Readonly<Record<string, Schema>> | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'object') return def.shape;
  return 'innerType' in def ? shapeOf(def.innerType) : undefined;
}
