import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scheduledWorkers } from '#infra/functions/workers.ts';
import { metricUnits, queueNames } from '#shared/runtime/names.ts';
import { dollarsOfUse } from '../../bench/cost/bill.ts';
import {
  billOf,
  computed,
  hasListPrice,
  type Line,
  linesOfSum,
  numbersIn,
} from '../../support/docs/documented-bills.ts';
import { documented, thousandSessions } from '../../support/docs/documented-consumption.ts';
import { prices, transcribeReadings } from '../../support/docs/prices.ts';
import { alarmsOf } from '../../support/infra/alarms.ts';
import { stackOf } from '../../support/infra/templates.ts';

const deploy = 'docs/deploy.md';
const idle = 'Cost of an idle stage';
const places = (dollars: string) => dollars.split('.')[1]?.length ?? 0;

/** Lines whose dollars are the sum of another bill, which other tests compare. */
const isSumOfOthers = ({ what }: Line) => /^(events|network samples)$|insights|as in prod/.test(what);

describe.each([
  [deploy, idle],
  [deploy, 'A thousand sessions'],
  [deploy, 'A thousand recorded hours'],
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

  const numbersOfMetrics = (stage: string) =>
    alarmsOf(stackOf(stage)).reduce((count, alarm) => count + alarm.metrics.length, 0);

  test('have the number of alarm metrics, dashboards, keys and metrics in the template', () => {
    expect(numbersOf(idle, 'metrics under alarm')[0]).toBe(numbersOfMetrics('prod'));
    expect(numbersOf(idle, 'dashboard')[0]).toBe(stack.all('AWS::CloudWatch::Dashboard').length);
    expect(numbersOf(idle, 'key of')[0]).toBe(stack.all('AWS::KMS::Key').length);
    expect(numbersOf(idle, "the service's own metrics")[0]).toBe(Object.keys(metricUnits).length);
    expect(numbersOf(idle, 'SQS')[0]).toBe(queueNames.length);
    expect(numbersOf(idle, 'Secrets Manager')[0]).toBe(stack.all('AWS::SecretsManager::Secret').length);
  });

  test('differ in dev by the metrics under alarm', () => {
    const metrics = numbersOfMetrics('dev');
    const saved = (numbersOfMetrics('prod') - metrics) * prices.alarmMetrics.dollars;
    const sum = Number(billOf(deploy, idle).sums.get('')) - saved;
    expect(readFileSync(deploy, 'utf8')).toContain(
      `dev costs $${sum.toFixed(2)}: it has ${metrics} metrics under alarm,`,
    );
  });

  test('have the number of queues that are polled and the intervals of the scheduled workers', () => {
    const [streams, queues] = [1, queueNames.length];
    expect(stack.all('AWS::Lambda::EventSourceMapping')).toHaveLength(queues + streams);
    for (const { name, interval } of scheduledWorkers) {
      const named = name === 'reconcile-transcriptions' ? 'reconciler' : name;
      expect([name, numbersOf(idle, `${named}, requests`)[0]]).toEqual([name, (30 * 24 * 60) / interval.toMinutes()]);
    }
  });

  test('have the measured figures of insights and transcriptions', () => {
    const dollarsOf = (name: keyof typeof thousandSessions) => dollarsOfUse(thousandSessions[name]);
    expect(numbersOf('A thousand sessions', 'events')[1]).toBeCloseTo(dollarsOf('events'), 3);
    expect(numbersOf('A thousand sessions', 'network')[1]).toBeCloseTo(dollarsOf('samples, in batches of ten'), 3);
    const page = { httpApiRequests: 1, lambdaRequests: 1, lambdaGbSeconds: 0.025 / 2 };
    const dollarsOfPages =
      1_000_000 * dollarsOfUse({ ...page, dynamodbWrites: 1, dynamodbReads: documented.lists.rooms['reads of 10'] });
    expect(numbersOf('A thousand sessions', 'ten pages')[2]).toBeCloseTo(dollarsOfPages, 2);
    const { 'up to 2 KB': units } = documented.transcriptions['all of it, from create to ready']; // a client ID makes an item larger than 1 KB
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
