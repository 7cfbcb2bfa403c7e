import { at, listOf, type Resource, refersTo, type SynthesizedStack } from './templates.ts';

/** A metric that an alarm, or a widget, looks at. */
type LookedAt = {
  /** Its id in the alarm's expressions. Undefined in an alarm without expressions. */
  readonly id?: unknown;
  readonly namespace: string;
  readonly name: string;
  readonly statistic: unknown;
  readonly dimensions: Readonly<Record<string, unknown>>;
};

/** An alarm of a template, as far as rules ask about it. */
export type AlarmFacts = {
  readonly resource: Resource;
  readonly metrics: readonly LookedAt[];
  /** The expression that the alarm watches. Undefined in an alarm on one metric. */
  readonly expression: unknown;
  /** The expressions that the watched one is made of. */
  readonly parts: readonly { readonly id: unknown; readonly label: unknown; readonly expression: unknown }[];
  /** The one period of all of its metrics. */
  readonly periodSeconds: unknown;
  /** Such as `>= 1 in 2 of 3`. */
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
          : [lookedAt(properties, properties.Statistic ?? properties.ExtendedStatistic)],
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
  if (new Set(periods).size !== 1) throw new Error(`Periods of ${periods.join(', ')} seconds in one alarm.`);
  return periods[0];
}

function ofMetricQuery(query: unknown): LookedAt {
  const [metric, stat] = [at(query, 'MetricStat', 'Metric'), at(query, 'MetricStat', 'Stat')];
  return { id: at(query, 'Id'), ...lookedAt(metric, stat) };
}

function lookedAt(metric: unknown, statistic: unknown): LookedAt {
  const dimensions = listOf(at(metric, 'Dimensions')).map((each) => [String(at(each, 'Name')), at(each, 'Value')]);
  return {
    namespace: String(at(metric, 'Namespace')),
    name: String(at(metric, 'MetricName')),
    statistic,
    dimensions: Object.fromEntries(dimensions),
  };
}

/** Whether a metric is of a resource: one of its dimensions refers to it. */
export function isOf({ dimensions }: LookedAt, { id }: Resource): boolean {
  return Object.values(dimensions).some((value) => refersTo(value, id));
}

/** Whether an alarm takes back deployments: a deployment group names it. */
export function rollsBack({ resources }: SynthesizedStack, { resource }: AlarmFacts): boolean {
  return resources.some(
    ({ type, properties }) =>
      type === 'AWS::CodeDeploy::DeploymentGroup' && refersTo(properties.AlarmConfiguration, resource.id),
  );
}
