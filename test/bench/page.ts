import { type Goal, goals } from './goals.ts';
import { cellsOf, type Report } from './report.ts';

/** What a section says of its measurement: when and where it was made, and how long it took. */
export type Stamp = {
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly took: string;
};

const title = '## The goals\n';
const introduction = `# Performance

\`npm run bench\` writes this page, and \`npm run bench -- <name>\` one section of it. The local runner emulates DynamoDB and SQS: ratios, units and counts also hold on
AWS, and milliseconds do not. \`scale\` keeps its filled database in \`.bench/\` ([0026](decisions/0026-local-runner-and-tests.md)).
`;
const textOfGoals = 'The figures are those of the sections. A goal that a test shows fails the test if it is missed.';
const header = ['#', 'Goal', 'Figure', 'Spread', 'Verdict'] as const;
const headerOfGoals = ['#', 'Goal', 'Figure', 'Verdict', 'Shown by', 'Measured'] as const;

/** The page with a benchmark's section in place of its last one, and with a table of all goals made from the sections. */
export function pageWith(page: string | undefined, name: string, report: Report, stamp: Stamp): string {
  const [, ...all] = (page ?? introduction).split(/^(?=## )/m);
  const others = all.filter((section) => !section.startsWith(title) && !section.startsWith(`## ${name}\n`));
  const sections = [...others.map((section) => section.trim()), sectionOf(name, report, stamp)].toSorted();
  return `${[introduction.trim(), tableOfGoals(sections), ...sections].join('\n\n')}\n`;
}

function sectionOf(name: string, report: Report, { date, commit, machine, took }: Stamp): string {
  return [
    `## ${name}`,
    `${date}, commit ${commit}, ${machine}, in ${took}. ${report.setup}`,
    markdownTable(header, report.findings.map(cellsOf)),
    ...(report.notes ?? []),
  ].join('\n\n');
}

function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The page after a run of all benchmarks. It says so until one of them runs again. */
export function pageWithTotal(page: string, { date, commit, machine, took }: Stamp): string {
  const total = `One run of \`npm run bench\` has measured all of it: ${date}, commit ${commit}, ${machine}, in ${took}.`;
  return page.replace(textOfGoals, (text) => `${text} ${total}`);
}

function tableOfGoals(sections: readonly string[]): string {
  return [
    title.trim(),
    textOfGoals,
    markdownTable(
      headerOfGoals,
      goals.map((goal) => rowOf(goal, sections)),
    ),
  ].join('\n\n');
}

function rowOf(goal: Goal, sections: readonly string[]): string[] {
  const { number, text } = goal;
  if ('tests' in goal) {
    const links = goal.tests.map((file) => `[${file.split('/').at(-1)}](../${file})`);
    const verdict = goal.missed ? `tested, and MISSED by ${goal.missed}` : 'tested';
    return [String(number), text, goal.note, verdict, links.join(', '), 'in each change'];
  }
  const measured = goal.benchmarks.flatMap((name) => {
    const section = sections.find((each) => each.startsWith(`## ${name}\n`)) ?? '';
    const rows = rowsOf(section).filter((row) => row['#'] === String(number));
    return rows.length > 0 ? [{ name, section, rows }] : [];
  });
  const rows = measured.flatMap((each) => each.rows);
  if (rows.length === 0) {
    const commands = goal.benchmarks.map((name) => `\`npm run bench -- ${name}\``);
    return [String(number), text, 'not measured', '–', commands.join(', '), '–'];
  }
  const missed = rows.filter(({ Verdict }) => Verdict === 'MISSED').length;
  const reasons = goal.reasons?.map((file) => `[${/\d{4}/.exec(file)?.[0] ?? file}](${file})`).join(', ');
  const why = reasons ? `. Why, and what it would take: ${reasons}` : '';
  const verdict = missed === 0 ? 'met' : `MISSED${rows.length > 1 ? ` by ${missed} of ${rows.length}` : ''}${why}`;
  const shownBy = measured.map(({ name }) => `[${name}](#${name})`).join(', ');
  const stamps = new Set(measured.map(({ section }) => stampOf(section)));
  return [String(number), text, figureOf(rows), verdict, shownBy, [...stamps].join('; ')];
}

type Row = Readonly<Record<string, string>>;

/** The rows of the table of a section, by the names of its columns. */
function rowsOf(section: string): Row[] {
  const lines = section.split('\n').filter((line) => line.startsWith('| '));
  const [columns = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  return rows.map((cells) => Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
}

/** A few figures, or prices, as they are, and of many numbers the range. */
function figureOf(rows: readonly Row[]): string {
  const figures = rows.map(({ Figure = '' }) => Figure);
  const numbers = figures.map((figure) => Number.parseFloat(figure)).toSorted((one, other) => one - other);
  if (figures.length <= 4 || numbers.some(Number.isNaN)) return figures.join(', ');
  const digits = Math.max(...figures.map((figure) => /^\d+\.(\d+)/.exec(figure)?.[1]?.length ?? 0));
  return `${numbers[0]?.toFixed(digits)} to ${numbers.at(-1)?.toFixed(digits)}, ${numbers.length} figures`;
}

function stampOf(section: string): string {
  const date = /\d{4}-\d{2}-\d{2}/.exec(section)?.[0] ?? '';
  const commit = /, commit ([^,]+)/.exec(section)?.[1];
  return commit === undefined ? date : `${date}, ${commit}`;
}
