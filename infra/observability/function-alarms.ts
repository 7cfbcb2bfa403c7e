import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../functions/service-function.ts';
import { type AlarmSpec, lasting } from './alarm-spec.ts';
import { highest, percentage, percentageOf, period, total } from './metrics.ts';

/**
 * CloudWatch allows ten metrics and ten expressions in one alarm. An error rate takes two metrics and an expression, a
 * share of the timeout takes one of each, and one expression joins them.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDataQuery.html
 */
const functionsPerAlarm = { errors: 5, throttles: 10, duration: 9 } as const;

/** The alarms on crashes, throttles and durations. Each one watches several functions and names them in its description. */
export function functionAlarms(functions: readonly ServiceFunction[]): AlarmSpec[] {
  return [
    ...inGroups(functions, functionsPerAlarm.errors).map(errorAlarm),
    ...inGroups(functions, functionsPerAlarm.throttles).map(throttleAlarm),
    ...inGroups(functions, functionsPerAlarm.duration).map(durationAlarm),
  ];
}

function errorAlarm(group: readonly ServiceFunction[], index: number): AlarmSpec {
  const errorRate = ({ name, function: one }: ServiceFunction, id: number) =>
    percentage(one.metricErrors({ period }), one.metricInvocations({ period }), { label: name, idSuffix: String(id) });
  return {
    id: `FunctionErrors${index + 1}`,
    severity: 'routine',
    metric: highest(group.map(errorRate)),
    limit: { above: 1 }, // percent
    ...lasting,
    meaning: `More than 1 % of the invocations of one of these functions crashed or timed out: ${namesOf(group)}.`,
    section: 'function-errors',
  };
}

function throttleAlarm(group: readonly ServiceFunction[], index: number): AlarmSpec {
  const throttles = group.map(({ name, function: one }, id) => [
    `m${id}`,
    one.metricThrottles({ period, label: name }),
  ]);
  return {
    id: `FunctionThrottles${index + 1}`,
    severity: 'routine',
    metric: total(Object.fromEntries(throttles)),
    limit: { atLeast: 1 },
    meaning: `Lambda throttled one of these functions, because the account's concurrency is used up: ${namesOf(group)}.`,
    section: 'function-throttles',
  };
}

function durationAlarm(group: readonly ServiceFunction[], index: number): AlarmSpec {
  const shareOfTimeout = ({ name, timeout, function: one }: ServiceFunction, id: number) =>
    percentageOf(timeout.toMilliseconds(), one.metricDuration({ period, statistic: Stats.p(99) }), {
      label: name,
      id: `m${id}`,
    });
  return {
    id: `FunctionDuration${index + 1}`,
    severity: 'routine',
    metric: highest(group.map(shareOfTimeout)),
    limit: { above: 80 }, // percent
    ...lasting,
    meaning: `The p99 duration of one of these functions is above 80 % of its timeout: ${namesOf(group)}.`,
    section: 'function-duration',
  };
}

function namesOf(functions: readonly ServiceFunction[]): string {
  return functions.map(({ name }) => name).join(', ');
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
