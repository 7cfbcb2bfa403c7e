import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestAssignment } from '#shared/domain/speakers/best-assignment.ts';

/** The highest total, by trying every assignment. */
function highestTotal(worths: readonly (readonly number[])[], taken: ReadonlySet<number> = new Set()): number {
  const [first, ...others] = worths;
  if (!first) return 0;
  const totals = first.flatMap((worth, column) =>
    taken.has(column) ? [] : [worth + highestTotal(others, new Set([...taken, column]))],
  );
  return Math.max(highestTotal(others, taken), ...totals);
}

const matrix = fc.record({ rows: fc.nat(5), columns: fc.nat(5) }).chain(({ rows, columns }) =>
  fc.array(fc.array(fc.oneof(fc.constant(0), fc.nat(8)), { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  }),
);

test('an assignment has the highest total of all, gives no column twice, and none that is worth nothing', () => {
  fc.assert(
    fc.property(matrix, (worths) => {
      const worthOf = (row: number, column: number) => worths[row]?.[column] ?? 0;
      const { columnOf, total } = bestAssignment(worths.length, worths[0]?.length ?? 0, worthOf);
      const given = [...columnOf.entries()].filter(([, column]) => column >= 0);
      expect(total).toBe(highestTotal(worths));
      expect(given.reduce((sum, [row, column]) => sum + worthOf(row, column), 0)).toBe(total);
      expect(new Set(given.map(([, column]) => column)).size).toBe(given.length);
      for (const [row, column] of given) expect(worthOf(row, column)).toBeGreaterThan(0);
    }),
    { numRuns: 500 },
  );
});
