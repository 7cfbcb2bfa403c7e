import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { queueWorkers, scheduledWorkers } from '#infra/workers.ts';
import { metricUnits, queueNames } from '#shared/names.ts';
import { alarmsOf } from '../support/alarms.ts';
import { billOf, computed, hasListPrice, type Line, linesOfSum, numbersIn } from '../support/documented-bills.ts';
import { documentedUnits } from '../support/documented-units.ts';
import { transcribeReadings } from '../support/prices.ts';
import { stackOf } from '../support/templates.ts';

const deploy = 'docs/deploy.md';
const insightsPage = 'docs/insights-cost.md';
const insights = readFileSync(insightsPage, 'utf8');
const places = (dollars: string) => dollars.split('.')[1]?.length ?? 0;

/** Lines whose dollars are the sum of another bill, which other tests compare. */
const isSumOfOthers = ({ what }: Line) => /^(events|network samples)$|insights|as in prod/.test(what);

describe.each([
  [deploy, 'At rest'],
  [deploy, 'At rest in dev'],
  [deploy, 'A thousand sessions'],
  [deploy, 'A thousand sessions by webhooks'],
  [deploy, 'A thousand notices'],
  [deploy, 'A thousand deliveries'],
  [deploy, 'A month of the console'],
  [deploy, 'A thousand recorded hours'],
  [deploy, 'A thousand hours in parts'],
  [insightsPage, 'Their events'],
  [insightsPage, 'Their samples in batches of ten'],
  [insightsPage, 'Their samples one by one'],
])('in %s, the bill "%s"', (page, heading) => {
  const bill = billOf(page, heading);

  test.each(bill.lines)('calculates correctly: $what: $arithmetic is $dollars', ({ arithmetic, dollars }) => {
    expect(computed(arithmetic).toFixed(places(dollars))).toBe(dollars);
  });

  test.each(bill.lines.filter((line) => !isSumOfOthers(line)))('has a list price: $what: $arithmetic', (line) => {
    expect(hasListPrice(line.arithmetic)).toBe(true);
  });

  test('has the correct sum, and one for each reading of the price of Transcribe', () => {
    expect(bill.lines.length).toBeGreaterThan(3);
    const hasReadings = bill.lines.some(({ what }) => what.startsWith('Transcribe'));
    expect([...bill.sums.keys()]).toEqual(hasReadings ? Object.keys(transcribeReadings) : ['']);
    for (const [reading, sum] of bill.sums) {
      const exact = linesOfSum(bill, reading).reduce((total, { arithmetic }) => total + computed(arithmetic), 0);
      expect(exact.toFixed(places(sum)), reading).toBe(sum);
    }
  });
});

describe('the cost tables in docs/deploy.md', () => {
  const numbersOf = (heading: string, what: string): number[] => {
    const line = billOf(deploy, heading).lines.find((each) => each.what.startsWith(what));
    if (!line) throw new Error(`"${heading}" has no line "${what}".`);
    return numbersIn(line.arithmetic);
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
    expect(Number(billOf(insightsPage, 'Their events').sums.get(''))).toBe(
      numbersOf('A thousand sessions', 'events')[1],
    );
    expect(Number(billOf(insightsPage, 'Their samples in batches of ten').sums.get(''))).toBe(
      numbersOf('A thousand sessions', 'network')[1],
    );
    const recorder = queueWorkers.find(({ name }) => name === 'record-room-events');
    expect(insights).toContain(`11 000 × 0.05 s × ${((recorder?.memorySize ?? 0) / 1024).toFixed(2)} GB`);
    expect(insights).toContain(`= **$${numbersOf('A thousand sessions', 'ten pages')[2]}**`);
    const [, units] = await documentedUnits('all of it, from create to ready'); // the length of a client ID makes an item larger than 1 KB
    expect(numbersOf('A thousand recorded hours', 'DynamoDB, writes of a')[1]).toBe(units);
  });
});

test.each(Object.entries(transcribeReadings))('docs/deploy.md has the prices of the %s reading', (name, { tiers }) => {
  const row = readFileSync(deploy, 'utf8').match(new RegExp(`^\\| ${name} \\| .+ \\|$`, 'm'))?.[0] ?? '';
  for (const { dollarsPerMinute } of tiers) expect(row).toContain(`$${dollarsPerMinute}`);
});

test('computed evaluates arithmetic from left to right', () => {
  expect(computed('11 000 × 3 × $0.40 ÷ 1 000 000')).toBeCloseTo(0.0132, 10);
  expect(computed('21 600 × 0.1 s × 0.5 GB × $0.0000133334')).toBeCloseTo(0.0144, 4);
});

test('hasListPrice compares the dollars and the units that they are for', () => {
  expect(hasListPrice('11 000 × $0.20 ÷ 1 000 000')).toBe(true);
  expect(hasListPrice('60 GB × $0.023 ÷ 4')).toBe(true);
  expect(hasListPrice('11 000 × $0.21 ÷ 1 000 000')).toBe(false);
  expect(hasListPrice('11 000 × $0.20 ÷ 1 000')).toBe(false);
});
