import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricProps, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type MetricName, metricsDimension, metricsNamespace, type TableName } from '#shared/runtime/names.ts';
import { liveAlias, type ServiceFunction } from '../functions/service-function.ts';
import type { MonitoredResources } from './monitored-resources.ts';

/** The period of a metric when the code does not set another. */
export const period = Duration.minutes(5);

type Options = Pick<MetricProps, 'period' | 'label'>;

/** One of the service's own metrics, of one deployment. */
export function serviceMetric(deployment: string, metricName: MetricName, statistic: string, options: Options = {}) {
  const dimensionsMap = { [metricsDimension]: deployment };
  return new Metric({ namespace: metricsNamespace, metricName, dimensionsMap, statistic, period, ...options });
}

type PercentageOptions = {
  readonly label?: string;
  /** Makes the ids of the two metrics unique in an alarm or graph that has several percentages. */
  readonly idSuffix?: string;
};

/** The first metric as a percentage of the second, or 0 if the second is 0. */
export function percentage(
  part: Metric,
  whole: Metric,
  { label, idSuffix = '' }: PercentageOptions = {},
): MathExpression {
  const [partId, wholeId] = [`m${part.metricName}${idSuffix}`, `m${whole.metricName}${idSuffix}`];
  return new MathExpression({
    expression: `IF(${wholeId} > 0, 100 * ${partId} / ${wholeId}, 0)`,
    usingMetrics: { [partId]: part, [wholeId]: whole },
    period: whole.period,
    ...(label !== undefined && { label }),
  });
}

/** A metric as a percentage of a fixed number. `id` must be unique in the alarm or graph. */
export function percentageOf(
  whole: number,
  part: Metric,
  { label, id }: { readonly label: string; readonly id: string },
): MathExpression {
  return new MathExpression({
    expression: `100 * ${id} / ${whole}`,
    usingMetrics: { [id]: part },
    period: part.period,
    label,
  });
}

/** The highest of several values in each period. Values without data are ignored. */
export function highest(values: readonly MathExpression[]): MathExpression {
  const byId = Object.fromEntries(values.map((value, index) => [`value${index}`, value]));
  return new MathExpression({ expression: `MAX([${Object.keys(byId).join(', ')}])`, usingMetrics: byId, period });
}

/** The sum of metrics by id. Metrics without data count as 0. Ids consist of letters and digits and are unique in a graph. */
export function total(metrics: Readonly<Record<string, Metric>>, options: Options = {}): MathExpression {
  return new MathExpression({
    expression: `SUM([${Object.keys(metrics).join(', ')}])`,
    usingMetrics: { ...metrics },
    period,
    ...options,
  });
}

/** A metric that DynamoDB counts by operation, summed over the operations that the functions may do. */
export function ofOperations(
  name: TableName,
  { tables, functions }: Pick<MonitoredResources, 'tables' | 'functions'>,
  metricName: 'SystemErrors' | 'ThrottledRequests',
): MathExpression {
  const metrics = operationsOn(name, functions).map((Operation) => [
    `${name}${Operation}`,
    tableMetric(tables[name], metricName, { Operation }),
  ]);
  return total(Object.fromEntries(metrics), { label: name });
}

/** A metric of a table. */
export function tableMetric(table: Table, metricName: string, dimensions: Record<string, string> = {}, label?: string) {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table.tableName, ...dimensions },
    statistic: Stats.SUM,
    period,
    ...(label !== undefined && { label }),
  });
}

/** The operations on a table that the functions are allowed to call. DynamoDB counts a transaction as an operation of its own. */
function operationsOn(name: TableName, functions: readonly ServiceFunction[]): readonly string[] {
  const actions = new Set(functions.flatMap(({ access }) => access.tables?.[name] ?? []));
  const isQueried = functions.some(({ access }) => access.queries?.[name] !== undefined);
  const isWritten = (['PutItem', 'UpdateItem', 'DeleteItem'] as const).some((action) => actions.has(action));
  return [
    ...new Set<string>([...actions, ...(isQueried ? ['Query'] : []), ...(isWritten ? ['TransactWriteItems'] : [])]),
  ].sort();
}

/** Invocations of a rule's targets that failed after all retries. */
export function failedInvocations(rule: Rule): Metric {
  return summed('AWS/Events', 'FailedInvocations', { RuleName: rule.ruleName });
}

/** Bytes written to a log group. */
export function incomingBytes(logGroup: LogGroup): Metric {
  return summed('AWS/Logs', 'IncomingBytes', { LogGroupName: logGroup.logGroupName });
}

function summed(namespace: string, metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic: Stats.SUM, period });
}

/** Size of a bucket, which S3 measures once a day. */
export function storedBytes(bucket: Bucket, label: string): Metric {
  return new Metric({
    namespace: 'AWS/S3',
    metricName: 'BucketSizeBytes',
    dimensionsMap: { BucketName: bucket.bucketName, StorageType: 'StandardStorage' },
    statistic: Stats.AVERAGE,
    period: Duration.days(1),
    label,
  });
}

/** The period of metrics about a new version. It is short, because a canary takes only minutes. */
export const rolloutPeriod = Duration.minutes(1);

/**
 * Invocations of the version being deployed that crashed or timed out. The metric leaves out the old version, which takes
 * nine of ten calls and would hide the failures of the new one. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
 */
export function crashesOfNewVersion({ function: { functionName, currentVersion } }: ServiceFunction): Metric {
  return new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'Errors',
    dimensionsMap: {
      FunctionName: functionName,
      Resource: `${functionName}:${liveAlias}`,
      ExecutedVersion: currentVersion.version,
    },
    statistic: Stats.SUM,
    period: rolloutPeriod,
  });
}

/** The metric that counts the errors logged by the version being deployed. It costs nothing while there are no errors. */
export function newVersionErrors({ deployment, name }: ServiceFunction) {
  return { metricNamespace: `${metricsNamespace}/NewVersions`, metricName: `${deployment}/${name}` };
}

/** Log lines of level ERROR from the version being deployed. */
export function errorsOfNewVersion(target: ServiceFunction): Metric {
  const { metricNamespace: namespace, metricName } = newVersionErrors(target);
  return new Metric({ namespace, metricName, statistic: Stats.SUM, period: rolloutPeriod });
}
