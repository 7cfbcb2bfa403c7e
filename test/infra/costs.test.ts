import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scheduledWorkers } from '#infra/workers.ts';
import { metricUnits, queueNames } from '#shared/names.ts';
import { alarmsOf } from '../support/alarms.ts';
import { documentedUnits } from '../support/documented-units.ts';
import { stackOf } from '../support/templates.ts';

const page = readFileSync('docs/deploy.md', 'utf8');
const insights = readFileSync('docs/insights-cost.md', 'utf8');

type Line = { readonly what: string; readonly arithmetic: string; readonly dollars: string };

/** The lines and the sum of the table below a heading. */
function costsOf(heading: string): { readonly lines: readonly Line[]; readonly sum: string } {
  const section = page.split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const lines = [...section.matchAll(/^\| ([^|]+) \| ([^|]+) \| ([\d.]+) \|$/gm)].map(
    ([, what = '', arithmetic = '', dollars = '']): Line => ({ what, arithmetic, dollars }),
  );
  return { lines, sum: /^\| \*\*sum\*\* \| \| \*\*([\d.]+)\*\* \|$/m.exec(section)?.[1] ?? '' };
}

/** Evaluates a line's arithmetic: numbers with × and ÷ between them. Units are ignored. */
function computed(arithmetic: string): number {
  const numbers = arithmetic.matchAll(/([×÷]?)\s*\$?(\d[\d ]*(?:\.\d+)?)/g);
  return [...numbers].reduce((product, [, sign, digits = '']) => {
    const number = Number(digits.replaceAll(' ', ''));
    return sign === '÷' ? product / number : product * number;
  }, 1);
}

const places = (dollars: string) => dollars.split('.')[1]?.length ?? 0;

describe.each([
  'At rest',
  'At rest in dev',
  'A thousand sessions',
  'A thousand sessions by webhooks',
  'A thousand notices',
  'A thousand deliveries',
  'A month of the console',
  'A thousand recorded hours',
  'A thousand hours in parts',
])('the cost table "%s" in docs/deploy.md', (heading) => {
  const { lines, sum } = costsOf(heading);

  test.each(lines)('calculates correctly: $what: $arithmetic is $dollars', ({ arithmetic, dollars }) => {
    expect(computed(arithmetic).toFixed(places(dollars))).toBe(dollars);
  });

  test('has the correct sum', () => {
    expect(lines.length).toBeGreaterThan(4);
    const exact = lines.reduce((total, { arithmetic }) => total + computed(arithmetic), 0);
    expect(exact.toFixed(places(sum))).toBe(sum);
  });
});

describe('the cost tables in docs/deploy.md', () => {
  const numbersOf = (heading: string, what: string): number[] => {
    const line = costsOf(heading).lines.find((each) => each.what.startsWith(what));
    if (!line) throw new Error(`"${heading}" has no line "${what}".`);
    return [...line.arithmetic.matchAll(/\d[\d ]*(?:\.\d+)?/g)].map(([digits]) => Number(digits.replaceAll(' ', '')));
  };
  const stack = stackOf('prod');

  test.each([
    ['prod', 'At rest'],
    ['dev', 'At rest in dev'],
  ])('have the number of alarm metrics, dashboards, keys and metrics in the template of %s', (stage, heading) => {
    const template = stackOf(stage);
    const metrics = alarmsOf(template).reduce((count, alarm) => count + alarm.metrics.length, 0);
    expect(numbersOf(heading, 'metrics under alarm')[0]).toBe(metrics);
    expect(numbersOf(heading, 'dashboard')[0]).toBe(template.all('AWS::CloudWatch::Dashboard').length);
    expect(numbersOf(heading, 'key of')[0]).toBe(template.all('AWS::KMS::Key').length);
    expect(numbersOf(heading, "the service's own metrics")[0]).toBe(Object.keys(metricUnits).length);
    expect(numbersOf(heading, 'SQS')[0]).toBe(queueNames.length);
    expect(numbersOf(heading, 'Secrets Manager')[0]).toBe(template.all('AWS::SecretsManager::Secret').length);
  });

  test('have the number of queues that are polled and the intervals of the scheduled workers', () => {
    const [streams, queues] = [1, queueNames.length];
    expect(stack.all('AWS::Lambda::EventSourceMapping')).toHaveLength(queues + streams);
    for (const { name, interval } of scheduledWorkers) {
      const named = name === 'reconcile-transcriptions' ? 'reconciler' : name;
      expect([name, numbersOf('At rest', `${named}, requests`)[0]]).toEqual([
        name,
        (30 * 24 * 60) / interval.toMinutes(),
      ]);
    }
  });

  test('have the measured figures of insights and transcriptions', async () => {
    expect(insights).toContain(
      `| **sum** | goal: at most $0.40 | **${numbersOf('A thousand sessions', 'events')[1]}** |`,
    );
    expect(insights).toMatch(
      new RegExp(`^\\| samples \\| [\\d.]+ \\| ${numbersOf('A thousand sessions', 'network')[1]} \\|$`, 'm'),
    );
    expect(insights).toContain(`= **$${numbersOf('A thousand sessions', 'ten pages')[2]}**`);
    const [, units] = await documentedUnits('all of it, from create to ready'); // the length of a client ID makes an item larger than 1 KB
    expect(numbersOf('A thousand recorded hours', 'DynamoDB, writes of a')[1]).toBe(units);
  });
});

test('computed evaluates arithmetic from left to right', () => {
  expect(computed('11 000 × 3 × $0.40 ÷ 1 000 000')).toBeCloseTo(0.0132, 10);
  expect(computed('21 600 × 0.1 s × 0.5 GB × $0.0000133334')).toBeCloseTo(0.0144, 4);
});
