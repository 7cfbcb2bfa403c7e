import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { goals } from '../../bench/goals.ts';
import { pageWith, pageWithTotal, type Stamp } from '../../bench/page.ts';
import type { Finding, Report } from '../../bench/report.ts';

const stamp: Stamp = {
  date: '2026-11-27',
  commit: 'abcdef12',
  machine: '2 cores (some processor)',
  versions: 'Node v24.21.0',
  took: '34 s',
};
const lag = (isMet = true): Finding => ({ number: 10, goal: 'p99', figure: '1.53 s', spread: 'p50 0.21 s', isMet });
const reportOf = (...findings: Finding[]): Report => ({ setup: 'It measures.', findings });

/** The row of a goal in the first table of a page. */
function goalIn(page: string, number: number): string {
  const [, table = ''] = page.split('## The goals\n');
  return table.split('\n').find((line) => line.startsWith(`| ${number} |`)) ?? '';
}

describe('the page of performance', () => {
  it('has a section for a benchmark, and replaces only that section when the benchmark runs again', () => {
    const first = pageWith(undefined, 'start', { ...reportOf(lag()), notes: ['A remark.'] }, stamp);
    const both = pageWith(first, 'lag', reportOf(lag(false)), stamp);
    const again = pageWith(both, 'lag', reportOf(lag()), { ...stamp, commit: '12345678' });
    expect(again.match(/^##? .*/gm)).toEqual(['# Performance', '## The goals', '## lag', '## start']);
    expect(again).toContain(
      '`npm run bench -- lag`, 2026-11-27, commit 12345678, 2 cores (some processor), Node v24.21.0, in 34 s. It measures.',
    );
    expect(again).toContain('| 10 | p99 | 1.53 s | p50 0.21 s | met |');
    expect(again).not.toContain('| MISSED');
    expect(again).toContain('A remark.');
    expect(pageWith(again, 'lag', reportOf(lag()), { ...stamp, commit: '12345678' })).toBe(again);
  });

  it('begins with all goals, which are not measured without a section', () => {
    const page = pageWith(undefined, 'start', reportOf(), stamp);
    expect(goals.map(({ number }) => number)).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 15]);
    expect(goalIn(page, 12)).toMatch(/ \| not measured \| – \| `npm run bench -- start` \| – \|$/);
    expect(goalIn(page, 8)).toMatch(
      / \| tested \| \[request-log.test.ts\]\(..\/test\/unit\/http\/request-log.test.ts\) \|/,
    );
    expect(goalIn(page, 4)).toContain(' | tested, and MISSED by both stages');
  });

  it('shows the figure, the verdict, the date and the commit of a goal', () => {
    const page = pageWith(undefined, 'lag', reportOf({ ...lag(), number: 3, figure: 'of another' }, lag()), stamp);
    expect(goalIn(page, 10)).toMatch(/ \| 1.53 s \| met \| \[lag\]\(#lag\) \| 2026-11-27, abcdef12 \|$/);
  });

  it('tells how many figures of a goal are missed, and the range of many figures', () => {
    const ratios = ['1.1', '0.98', '1.31', '1.05', '1.2'].map((figure) => ({ ...lag(figure !== '1.31'), figure }));
    const page = pageWith(undefined, 'lag', reportOf(...ratios), stamp);
    expect(goalIn(page, 10)).toContain(' | 0.98 to 1.31, 5 figures | MISSED by 1 of 5 |');
    expect(goalIn(pageWith(undefined, 'lag', reportOf(lag(false)), stamp), 10)).toContain(' | 1.53 s | MISSED |');
  });
});

describe('the table of goals', () => {
  it('says that one run has measured all of it, until a benchmark runs again', () => {
    const total = 'One run of `npm run bench` has measured all of it: 2026-11-27, commit abcdef12';
    const page = pageWithTotal(pageWith(undefined, 'lag', reportOf(lag()), stamp), stamp);
    expect(page).toContain(total);
    expect(pageWith(page, 'lag', reportOf(lag()), stamp)).not.toContain(total);
  });

  it('links to the reasons of a goal that is missed', () => {
    const pageOf = (isMet: boolean) => pageWith(undefined, 'init', reportOf({ ...lag(isMet), number: 15 }), stamp);
    expect(goalIn(pageOf(false), 15)).toContain(
      '| MISSED. Why, and what it would take: [0004](decisions/0004-bundling.md) ',
    );
    expect(goalIn(pageOf(true), 15)).toContain(' | met | ');
  });
});

test('every page with the reasons of a goal exists', () => {
  const files = goals.flatMap((goal) => ('reasons' in goal ? (goal.reasons ?? []) : []));
  expect(files.filter((file) => !existsSync(path.resolve('docs', file)))).toEqual([]);
});

test('every test that shows a goal exists', () => {
  const files = goals.flatMap((goal) => ('tests' in goal ? goal.tests : []));
  expect(files.filter((file) => !existsSync(path.resolve(file)))).toEqual([]);
});
