/** One row of a benchmark's table. `isMet` is undefined for a figure without a goal. */
export type Finding = {
  /** The number of the goal, in docs/performance.md, that the finding belongs to. */
  readonly number?: number;
  readonly goal: string;
  readonly figure: string;
  readonly spread: string;
  readonly isMet?: boolean;
};

/** The result of a benchmark. */
export type Report = {
  /** What the benchmark did, in a few sentences. */
  readonly setup: string;
  readonly findings: readonly Finding[];
  /** Further remarks, one paragraph of Markdown each. */
  readonly notes?: readonly string[];
};

const header = ['Goal', 'Figure', 'Spread', 'Verdict'] as const;

/** Returns true if no goal was missed. */
export function isMet({ findings }: Report): boolean {
  return findings.every((finding) => finding.isMet !== false);
}

/** The table as text with aligned columns. */
export function tableOf({ findings }: Report): string {
  const rows = [header, ...findings.map((finding) => cellsOf(finding).slice(1))];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')).join('\n');
}

/** The cells of a row: number, goal, figure, spread and verdict. */
export function cellsOf({ number, goal, figure, spread, isMet }: Finding): string[] {
  const verdict = isMet ? 'met' : 'MISSED';
  return [number === undefined ? '' : String(number), goal, figure, spread, isMet === undefined ? '–' : verdict];
}
