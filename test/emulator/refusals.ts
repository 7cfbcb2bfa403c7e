import type { CfnResource } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';

/** A resource that the emulator refuses and AWS does not, and what it gets instead. */
export type Refusal = {
  /** What the emulator says of `example`. */
  readonly message: string;
  /** The smallest resource that it refuses for this. */
  readonly example: { readonly Type: string; readonly Properties: object };
  /** Changes the resource if it is one of those, to one that the emulator takes. */
  readonly standIn: (resource: CfnResource) => void;
};

/**
 * All that a deployment onto the emulator leaves out of the template: nothing else differs from AWS. A test asks the
 * emulator for each of them whether it still says no.
 */
export const refusals: readonly Refusal[] = [
  {
    message: 'Properties.Metrics (metric math) is not supported',
    example: {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
        Threshold: 1,
        Metrics: [{ Id: 'expression', Expression: '2 * 3', ReturnData: true }],
      },
    },
    standIn: (resource) => {
      if (!(resource instanceof CfnAlarm) || resource.metrics === undefined) return;
      const { metricName, namespace } = { metricName: 'InsteadOfMetricMath', namespace: 'Emulator' };
      Object.assign(resource, { metrics: undefined, metricName, namespace, statistic: 'Sum', period: 60 });
    },
  },
];
