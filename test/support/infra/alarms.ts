import { at, listOf, type Resource, refersTo, type SynthesizedStack } from './templates.ts';

/** A metric of an alarm or of a widget. */
type AlarmMetric = {
  /** Its id in the alarm's expressions. Undefined in an alarm without expressions. */
  readonly id?: unknown;
  readonly namespace: string;
  readonly name: string;
  readonly statistic: unknown;
  readonly dimensions: Readonly<Record<string, unknown>>;
};

/** The facts about an alarm that the tests check. */
export type AlarmFacts = {
  readonly resource: Resource;
  readonly metrics: readonly AlarmMetric[];
  /** The expression that the alarm watches. Undefined in an alarm on one metric. */
  readonly expression: unknown;
  /** The expressions that the watched expression uses. */
  readonly parts: readonly { readonly id: unknown; readonly label: unknown; readonly expression: unknown }[];
  /** The common period of all metrics. */
  readonly periodSeconds: unknown;
  /** For example `>= 1 in 2 of 3`. */
  readonly limit: string;
};

const operators: Readonly<Record<string, string>> = {
  GreaterThanThreshold: '>',
  GreaterThanOrEqualToThreshold: '>=',
  LessThanThreshold: '<',
};

/** All alarms of a stack. */
export function alarmsOf(stack: SynthesizedStack): readonly AlarmFacts[] {
  return stack.all('AWS::CloudWatch::Alarm').map((resource) => {
    const { properties } = resource;
    const queries = listOf(properties.Metrics);
    const measured = queries.filter((query) => at(query, 'MetricStat') !== undefined);
    const computed = queries.filter((query) => at(query, 'Expression') !== undefined);
    const { ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods } = properties;
    return {
      resource,
      metrics:
        measured.length > 0
          ? measured.map(ofMetricQuery)
          : [metricFacts(properties, properties.Statistic ?? properties.ExtendedStatistic)],
      expression: at(
        computed.find((query) => at(query, 'ReturnData') !== false),
        'Expression',
      ),
      parts: computed
        .filter((query) => at(query, 'ReturnData') === false)
        .map((query) => ({ id: at(query, 'Id'), label: at(query, 'Label'), expression: at(query, 'Expression') })),
      periodSeconds: properties.Period ?? onePeriod(measured.map((query) => at(query, 'MetricStat', 'Period'))),
      limit: `${operators[String(ComparisonOperator)]} ${Threshold} in ${DatapointsToAlarm} of ${EvaluationPeriods}`,
    };
  });
}

function onePeriod(periods: readonly unknown[]): unknown {
  if (new Set(periods).size !== 1) throw new Error(`One alarm has periods of ${periods.join(', ')} seconds.`);
  return periods[0];
}

function ofMetricQuery(query: unknown): AlarmMetric {
  const [metric, stat] = [at(query, 'MetricStat', 'Metric'), at(query, 'MetricStat', 'Stat')];
  return { id: at(query, 'Id'), ...metricFacts(metric, stat) };
}

function metricFacts(metric: unknown, statistic: unknown): AlarmMetric {
  const dimensions = listOf(at(metric, 'Dimensions')).map((each) => [String(at(each, 'Name')), at(each, 'Value')]);
  return {
    namespace: String(at(metric, 'Namespace')),
    name: String(at(metric, 'MetricName')),
    statistic,
    dimensions: Object.fromEntries(dimensions),
  };
}

/** Whether a metric belongs to a resource: one of its dimensions refers to the resource. */
export function isOf({ dimensions }: AlarmMetric, { id }: Resource): boolean {
  return Object.values(dimensions).some((value) => refersTo(value, id));
}

/** Whether an alarm rolls back deployments: a deployment group names it. */
export function rollsBack({ resources }: SynthesizedStack, { resource }: AlarmFacts): boolean {
  return resources.some(
    ({ type, properties }) =>
      type === 'AWS::CodeDeploy::DeploymentGroup' && refersTo(properties.AlarmConfiguration, resource.id),
  );
}
