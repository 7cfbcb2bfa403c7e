import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights/insights.ts';
import { sortAttributeName } from '#shared/runtime/names.ts';
import { participantTieBreak } from '#shared/storage/insights/keys.ts';
import { missingValues, sortAttributesOf } from '#shared/storage/insights/sort-attributes.ts';
import { participantRecord } from '../../../support/insights/insight-records.ts';
import { compareBytes } from '../../../support/media/byte-order.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const fields = [...new Set([...roomSortFields, ...roomSessionSortFields, ...participantSortFields])];
const day = 86_400_000;
const times = fc
  .oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 2_900_000 }).map((days) => days * day),
  )
  .map((ms) => new Date(ms).toISOString());
const counts = fc.oneof(fc.nat(12), fc.nat(2_000), fc.nat(999_999_999_999));
/** The average of up to 1,000 ratings, each in thousandths. */
const averages = fc
  .integer({ min: 1, max: 1000 })
  .chain((ratings) => fc.integer({ min: ratings * 1000, max: ratings * 5000 }).map((sum) => sum / 1000 / ratings));
const valuesOf = (field: string): fc.Arbitrary<string | number> =>
  field.endsWith('At') ? times : field === 'rating' ? averages : counts;

const sortOf = (field: string, value: string | number | null, tieBreak: string) =>
  String(sortAttributesOf([field], { [field]: value }, tieBreak)[sortAttributeName(field)]);
const compareValues = (one: string | number | null, other: string | number | null) => {
  if (one === other) return 0;
  if (one === null || other === null) return one === null ? 1 : -1;
  return one < other ? -1 : 1;
};

describe.each(fields)('the sort attribute of %s', (field) => {
  const values = fc.option(valuesOf(field), { freq: 4 });
  const tieBreaks = fc.constantFrom('a', 'ab', 'b', '\uffee');

  test('sorts by the value, missing values last, and then by the tie-break', () => {
    fc.assert(
      fc.property(values, values, tieBreaks, tieBreaks, (one, other, oneTie, otherTie) => {
        const expected = compareValues(one, other) || compareBytes(oneTie, otherTie);
        const order = compareBytes(sortOf(field, one, oneTie), sortOf(field, other, otherTie));
        expect(Math.sign(order)).toBe(Math.sign(expected));
      }),
      { numRuns: 500 },
    );
  });

  test('sorts after the border of missing values exactly if the value is missing', () => {
    fc.assert(
      fc.property(values, tieBreaks, (value, tieBreak) => {
        expect(compareBytes(sortOf(field, value, tieBreak), missingValues) > 0).toBe(value === null);
      }),
    );
  });

  test('fits into a sort key with the longest tie-break', () => {
    const longest = { organizationId: organizationId(), roomName: `/${'a'.repeat(511)}`, roomSessionId: uuid(1) };
    const { listed } = participantRecord('a'.repeat(256), { roomSessionId: uuid(1) });
    const tieBreak = listed ? participantTieBreak(longest, listed) : '';
    expect(tieBreak).toHaveLength(24 + 36 + 256 + 512 + 3);
    for (const value of fc.sample(values, { seed: 1, numRuns: 50 })) {
      expect(Buffer.byteLength(sortOf(field, value, tieBreak))).toBeLessThanOrEqual(1024);
    }
  });
});

test('sortAttributesOf returns one attribute for each given field and no others', () => {
  const values = { joinedAt: '2026-03-02T09:00:00.000Z', leftAt: null, displayName: 'canary' };
  expect(sortAttributesOf(['joinedAt', 'leftAt'], values, 'tie')).toEqual({
    joinedAtSort: '02026-03-02T09:00:00.000Z\0tie',
    leftAtSort: '1\0tie',
  });
});
