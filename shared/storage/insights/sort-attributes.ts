import { sortAttributeName } from '#shared/runtime/names.ts';
import { type KeyRange, separator, sortKey, timeRange } from '../common/keys.ts';

/** Prefix of the sort keys of items with a value. */
const knownValues = '0';
/** Sorts before the sort keys of all items. */
export const firstValues = knownValues;
/** Prefix of the sort keys of items without a value. They sort after all items with one. */
export const missingValues = '1';
/** Sorts after the sort keys of all items. */
export const afterAllValues = '2';

/** The range of the items whose time is from `from` on and before `to`. */
export function sortedTimes(from: string | undefined, to: string | undefined): KeyRange | undefined {
  return timeRange(from, to, knownValues);
}

const lastCharacter = '\u{10ffff}';
/** As many of the last character as fill the longest possible room name. */
const maxCharactersOfName = 128;

/** The range of the names that begin with `prefix`. No such name sorts after the prefix followed by repetitions of the last character. */
export function namesBeginningWith(prefix: string): KeyRange {
  return [prefix, prefix + lastCharacter.repeat(maxCharactersOfName)];
}

/** Decimals of the average rating, the one value that is not a whole number. */
const ratingDecimals = 9;

/**
 * The attributes by which the indexes sort an item: the value, then `tieBreak`. So no two keys are equal, and an item moves
 * only if its own value changes.
 */
export function sortAttributesOf<Field extends string>(
  fields: readonly Field[],
  values: Readonly<Record<Field, string | number | null>>,
  tieBreak: string,
): Record<string, string> {
  const entries = fields.map((field) => [sortAttributeName(field), sortKeyOf(field, values[field], tieBreak)]);
  return Object.fromEntries(entries);
}

function sortKeyOf(field: string, value: string | number | null, tieBreak: string): string {
  if (value === null) return sortKey(missingValues, [tieBreak]);
  return sortKey(value, [tieBreak], { prefix: knownValues, decimals: field === 'rating' ? ratingDecimals : 0 });
}

/** The time in a sort attribute; null if the item has none. */
export function sortedTime(attribute: string): string | null {
  if (attribute.startsWith(missingValues)) return null;
  return attribute.slice(knownValues.length, attribute.indexOf(separator));
}

/** The whole number in a sort attribute. */
export function sortedCount(attribute: string): number {
  const digits = attribute.slice(knownValues.length + 1, attribute.indexOf(separator)); // after the number of digits
  return Number(digits);
}
