/** Counts the faults that were reached, by kind. */
export class Tally {
  readonly byKind = new Map<string, number>();

  /** Counts faults of one kind. */
  add(kind: string, number = 1): void {
    if (number > 0) this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + number);
  }

  /** Adds the faults of another tally. */
  addAll(other: Tally): void {
    for (const [kind, number] of other.byKind) this.add(kind, number);
  }

  /** The number of all faults. */
  get total(): number {
    return [...this.byKind.values()].reduce((sum, number) => sum + number, 0);
  }
}
