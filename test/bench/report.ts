import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';

/** One row of a benchmark's table. `isMet` is undefined for a figure without a goal. */
export type Finding = {
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

const file = new URL('../../docs/performance.md', import.meta.url);
const introduction = `# Performance

\`npm run bench\` writes this page, one section per benchmark. \`npm test\` runs none of them. The benchmarks run on the
local runner, which emulates DynamoDB and SQS. So ratios, units and counts also hold on AWS, and milliseconds do not. The
emulators keep their state in \`/dev/shm\` if it has room, so that the disk does not affect the results.
`;
const header = ['Goal', 'Figure', 'Spread', 'Verdict'] as const;

/** Returns true if no goal was missed. */
export function isMet({ findings }: Report): boolean {
  return findings.every((finding) => finding.isMet !== false);
}

/** The table as text with aligned columns. */
export function tableOf({ findings }: Report): string {
  const rows = [header, ...findings.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')).join('\n');
}

/** Replaces a benchmark's section in docs/performance.md and leaves the other sections unchanged. */
export async function writeSection(name: string, report: Report): Promise<void> {
  const [start = introduction, ...sections] = (await readText()).split(/^(?=## )/m);
  const others = sections.filter((section) => !section.startsWith(`## ${name}\n`)).map((section) => section.trim());
  const all = [...others, sectionOf(name, report)].toSorted();
  await writeFile(file, `${[start.trim(), ...all].join('\n\n')}\n`);
}

async function readText(): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return introduction; // the page does not exist yet
  }
}

function sectionOf(name: string, report: Report): string {
  const lines = [header, header.map(() => '---'), ...report.findings.map(cellsOf)];
  const { length, 0: cpu } = cpus();
  return [
    `## ${name}`,
    `\`npm run bench -- ${name}\`, ${new Date().toISOString().slice(0, 10)}, ${length} cores (${cpu?.model.trim()}), Node ${process.version}. ${report.setup}`,
    lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    ...(report.notes ?? []),
  ].join('\n\n');
}

function cellsOf({ goal, figure, spread, isMet }: Finding): string[] {
  const verdict = isMet ? 'met' : 'MISSED';
  return [goal, figure, spread, isMet === undefined ? '–' : verdict];
}
