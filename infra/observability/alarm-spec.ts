import type { Stack } from 'aws-cdk-lib';
import { ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../functions/service-function.ts';

type Limit = { readonly atLeast: number } | { readonly above: number } | { readonly below: number };

/** `urgent`: wake somebody, because customers get errors or work stands still. `routine`: it can wait until morning. */
export type Severity = 'urgent' | 'routine';

/** One alarm. It goes into ALARM when its metric is beyond its limit in `breaches` of the last `periods`. */
export type AlarmSpec = {
  readonly id: string;
  readonly severity: Severity;
  readonly metric: IMetric;
  readonly limit: Limit;
  readonly periods?: number;
  readonly breaches?: number;
  /** State without data. Default: `fine`, because nothing happened. `alarming` is for what must happen regularly. */
  readonly withoutData?: 'fine' | 'alarming';
  readonly meaning: string;
  /** Section of docs/operations/alarms.md that says what to do. */
  readonly section: string;
  /** Functions whose deployment the alarm stops and rolls back. */
  readonly rollsBack?: readonly ServiceFunction[];
  /** Stack that the alarm is part of. Default: the parent stack. */
  readonly stack?: Stack;
};

/** Two of three periods, so that one stray failure among few calls raises no alarm. */
export const lasting = { periods: 3, breaches: 2 };

/** The CDK properties of an alarm. `pageUrl` is the address of the page that says what to do. */
export function alarmProps(spec: AlarmSpec, pageUrl: string) {
  const { severity, metric, limit, periods = 1, breaches = periods, withoutData, meaning, section } = spec;
  return {
    metric,
    ...comparisonOf(limit),
    evaluationPeriods: periods,
    datapointsToAlarm: breaches,
    treatMissingData: withoutData === 'alarming' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    alarmDescription: `${severityTexts[severity]}: ${meaning} What to do: ${pageUrl}#${section}`,
  };
}

const severityTexts: Readonly<Record<Severity, string>> = { urgent: 'Urgent', routine: 'Can wait until morning' };

function comparisonOf(limit: Limit) {
  const operators = ComparisonOperator;
  if ('above' in limit) return { threshold: limit.above, comparisonOperator: operators.GREATER_THAN_THRESHOLD };
  if ('below' in limit) return { threshold: limit.below, comparisonOperator: operators.LESS_THAN_THRESHOLD };
  return { threshold: limit.atLeast, comparisonOperator: operators.GREATER_THAN_OR_EQUAL_TO_THRESHOLD };
}
