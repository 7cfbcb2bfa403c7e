import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricProps, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Rule } from 'aws-cdk-lib/aws-events';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { type MetricName, metricsDimension, metricsNamespace, type TableName } from '../../shared/names.ts';
import { liveAlias, type ServiceFunction } from '../constructs/service-function.ts';
import type { Watched } from './watched.ts';

/** The length of a period wherever nothing else is said. */
export const period = Duration.minutes(5);

type Options = Pick<MetricProps, 'period' | 'label'>;

/** One of the service's own metrics, of one deployment. */
export function serviceMetric(deployment: string, metricName: MetricName, statistic: string, options: Options = {}) {
  const dimensionsMap = { [metricsDimension]: deployment };
  return new Metric({ namespace: metricsNamespace, metricName, dimensionsMap, statistic, period, ...options });
}

/** How many in a hundred; 0 where there is nothing to fail. */
export function percentage(part: Metric, whole: Metric, label?: string): MathExpression {
  const [partId, wholeId] = [`m${part.metricName}`, `m${whole.metricName}`];
  return new MathExpression({
    expression: `IF(${wholeId} > 0, 100 * ${partId} / ${wholeId}, 0)`,
    usingMetrics: { [partId]: part, [wholeId]: whole },
    period: whole.period,
    ...(label !== undefined && { label }),
  });
}

/** The sum of what there is: a metric without data adds nothing. The ids are letters and digits, one for each in a graph. */
export function total(metrics: Readonly<Record<string, Metric>>, options: Options = {}): MathExpression {
  return new MathExpression({
    expression: `SUM([${Object.keys(metrics).join(', ')}])`,
    usingMetrics: { ...metrics },
    period,
    ...options,
  });
}

/** A metric that DynamoDB counts by operation, summed over the operations that the functions are allowed. */
export function ofOperations(
  name: TableName,
  { tables, functions }: Pick<Watched, 'tables' | 'functions'>,
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

/** The operations on a table that the functions are allowed; a transaction counts as an operation of its own. */
function operationsOn(name: TableName, functions: readonly ServiceFunction[]): readonly string[] {
  const actions = new Set(functions.flatMap(({ access }) => access.tables?.[name] ?? []));
  const isQueried = functions.some(({ access }) => access.queries?.[name] !== undefined);
  const isWritten = (['PutItem', 'UpdateItem', 'DeleteItem'] as const).some((action) => actions.has(action));
  return [
    ...new Set<string>([...actions, ...(isQueried ? ['Query'] : []), ...(isWritten ? ['TransactWriteItems'] : [])]),
  ].sort();
}

/** Calls of a rule's targets that failed for good. */
export function failedInvocations(rule: Rule): Metric {
  return summed('AWS/Events', 'FailedInvocations', { RuleName: rule.ruleName });
}

/** What was written into a log group. */
export function incomingBytes(logGroup: LogGroup): Metric {
  return summed('AWS/Logs', 'IncomingBytes', { LogGroupName: logGroup.logGroupName });
}

function summed(namespace: string, metricName: string, dimensionsMap: Record<string, string>): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic: Stats.SUM, period });
}

/** What a bucket holds, as S3 measures it once a day. */
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

/** How often new code is looked at: often, against the minutes that a canary takes. */
export const rolloutPeriod = Duration.minutes(1);

/**
 * Runs of the version being deployed that crashed or ran out of time. Of that version alone: the old one answers nine of
 * ten calls, and would hide them. https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-view.html
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

/** Where errors that the version being deployed logs are counted: no metric of the service, and none that costs without an error. */
export function newVersionErrors({ deployment, name }: ServiceFunction) {
  return { metricNamespace: `${metricsNamespace}/NewVersions`, metricName: `${deployment}/${name}` };
}

/** Lines of the level ERROR that the version being deployed logged. */
export function errorsOfNewVersion(target: ServiceFunction): Metric {
  const { metricNamespace: namespace, metricName } = newVersionErrors(target);
  return new Metric({ namespace, metricName, statistic: Stats.SUM, period: rolloutPeriod });
}
