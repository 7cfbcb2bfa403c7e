import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Command } from 'commander';

const { strict } = new Command('npm run size')
  .description('Prints how large the repository is, beside its budgets. Counts tracked files.')
  .option('--strict', 'fail if a budget is exceeded', false)
  .showHelpAfterError()
  .parse()
  .opts<{ strict: boolean }>();

const files = execFileSync('git', ['ls-files', '-z', '--cached'], { encoding: 'utf8' }).split('\0').filter(Boolean);
const read = (file: string) => readFileSync(file, 'latin1');

/** Line feeds, as `wc -l` counts them. */
const linesOf = (counted: readonly string[]) =>
  counted.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0);

const isTest = (file: string) => file.startsWith('test/');
/** Generated pages say in their first lines which command writes them. */
const isWritten = (file: string) => !/npm run [\w:-]+`? writes|written by `?npm run/i.test(read(file).slice(0, 400));
const { scripts } = JSON.parse(read('package.json'));

const rows: readonly (readonly [what: string, count: number, budget: number])[] = [
  [
    'lines of the product (TS, TSX, CSS)',
    linesOf(files.filter((file) => /\.(tsx?|css)$/.test(file) && !isTest(file))),
    78_500,
  ],
  ['lines under test/', linesOf(files.filter(isTest)), 98_000],
  [
    'lines of hand-written Markdown',
    linesOf(files.filter((file) => file.endsWith('.md') && !isTest(file) && isWritten(file))),
    9_500,
  ],
  ['decision records', files.filter((file) => /^docs\/decisions\/\d+-.+\.md$/.test(file)).length, 28],
  ['lines of CONTRIBUTING.md', linesOf(['CONTRIBUTING.md']), 140],
  ['scripts of package.json', Object.keys(scripts).length, 22],
  ['files', files.length, 2_250],
];

const english = new Intl.NumberFormat('en');
for (const [what, count, budget] of rows) {
  const mark = count > budget ? '✗' : '✓';
  console.log(
    `${mark} ${what.padEnd(36)} ${english.format(count).padStart(8)} of ${english.format(budget).padStart(7)}`,
  );
}
if (strict && rows.some(([, count, budget]) => count > budget)) process.exit(1);
