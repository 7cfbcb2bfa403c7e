/** Counts the faults that were reached, by kind. */
export class Tally {
  readonly byKind = new Map<string, number>();
  /** What has happened beside the faults. */
  readonly counts = new Map<string, number>();

  /** Counts faults of one kind. */
  add(kind: string, number = 1): void {
    if (number > 0) this.byKind.set(kind, (this.byKind.get(kind) ?? 0) + number);
  }

  /** Counts something else than a fault. */
  count(name: string, number: number): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + number);
  }

  /** Adds what another tally has counted. */
  addAll(other: Tally): void {
    for (const [name, number] of other.counts) this.count(name, number);
    for (const [kind, number] of other.byKind) this.add(kind, number);
  }

  /** The number of all faults. */
  get total(): number {
    return [...this.byKind.values()].reduce((sum, number) => sum + number, 0);
  }
}
