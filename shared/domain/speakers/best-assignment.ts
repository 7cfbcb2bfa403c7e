/** What it would be worth to give a row a column. Zero is worth as much as giving it none. No value is negative. */
export type Worth = (row: number, column: number) => number;

/** The column of each row, or -1, and the worth of all together. */
export type Assignment = { readonly columnOf: Int32Array; readonly total: number };

/**
 * Gives each row at most one column, and no column twice, so that the total is as high as possible (the Hungarian method, in the form
 * of shortest augmenting paths, in O(rows² · columns)).
 */
export function bestAssignment(rows: number, columns: number, worth: Worth): Assignment {
  const matching = new Matching(rows, Math.max(rows, columns), (row, column) =>
    column < columns ? -worth(row, column) : 0,
  );
  for (let row = 0; row < rows; row += 1) matching.add(row);
  const columnOf = new Int32Array(rows).fill(-1);
  let total = 0;
  for (const [column, row] of matching.rowOf.entries()) {
    if (row < 0 || column >= columns || worth(row, column) <= 0) continue;
    columnOf[row] = column;
    total += worth(row, column);
  }
  return { columnOf, total };
}

/** A matching of the rows added so far with the least cost, and the potentials that prove it. */
class Matching {
  /** The row of each column, or -1. The last entry is the row that is being added. */
  readonly #rowOf: Int32Array;
  readonly #ofRow: Float64Array;
  readonly #ofColumn: Float64Array;
  readonly #columns: number;
  readonly #cost: Worth;

  constructor(rows: number, columns: number, cost: Worth) {
    this.#rowOf = new Int32Array(columns + 1).fill(-1);
    this.#ofRow = new Float64Array(rows);
    this.#ofColumn = new Float64Array(columns + 1);
    this.#columns = columns;
    this.#cost = cost;
  }

  get rowOf(): Int32Array {
    return this.#rowOf.subarray(0, this.#columns);
  }

  /** Finds the cheapest path from the row to a free column, and moves the rows on it. */
  add(row: number): void {
    const columns = this.#columns;
    const slack = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const before = new Int32Array(columns);
    const isDone = new Uint8Array(columns + 1);
    this.#rowOf[columns] = row;
    let column = columns;
    while (at(this.#rowOf, column) >= 0) {
      isDone[column] = 1;
      column = this.#relax(column, slack, before, isDone);
    }
    while (column !== columns) {
      const previous = at(before, column);
      this.#rowOf[column] = at(this.#rowOf, previous);
      column = previous;
    }
    this.#rowOf[columns] = -1;
  }

  /** Lets the row of a column pay for every other column, and returns the column that is the cheapest to reach. */
  #relax(column: number, slack: Float64Array, before: Int32Array, isDone: Uint8Array): number {
    const row = at(this.#rowOf, column);
    let [least, next] = [Number.POSITIVE_INFINITY, -1];
    for (let other = 0; other < this.#columns; other += 1) {
      if (isDone[other]) continue;
      const cost = this.#cost(row, other) - at(this.#ofRow, row) - at(this.#ofColumn, other);
      if (cost < at(slack, other)) {
        slack[other] = cost;
        before[other] = column;
      }
      if (at(slack, other) < least) [least, next] = [at(slack, other), other];
    }
    for (let other = 0; other <= this.#columns; other += 1) {
      if (isDone[other]) {
        const paying = at(this.#rowOf, other);
        this.#ofRow[paying] = at(this.#ofRow, paying) + least;
        this.#ofColumn[other] = at(this.#ofColumn, other) - least;
      } else slack[other] = at(slack, other) - least;
    }
    return next;
  }
}

function at(numbers: Int32Array | Float64Array, index: number): number {
  return numbers[index] as number;
}
