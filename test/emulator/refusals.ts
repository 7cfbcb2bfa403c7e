import type { CfnResource } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';

/** A resource that the emulator refuses and AWS does not, and what it gets instead. */
type Refusal = {
  /** What the emulator says of `example`. */
  readonly message: string;
  /** The smallest resource that it refuses for this. */
  readonly example: { readonly Type: string; readonly Properties: object };
  /** Changes or removes the resource if it is one of those, or names one of them. */
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
  {
    message: 'Unrecognized resource types: [AWS::Logs::QueryDefinition]',
    example: { Type: 'AWS::Logs::QueryDefinition', Properties: { Name: 'Calls', QueryString: 'fields @message' } },
    standIn: (resource) => {
      if (resource instanceof CfnQueryDefinition) resource.node.scope?.node.tryRemoveChild(resource.node.id);
    },
  },
  {
    // New code gets all calls at once: nothing deploys it in steps.
    message: 'Unrecognized resource types: [AWS::CodeDeploy::Application]',
    example: { Type: 'AWS::CodeDeploy::Application', Properties: { ComputePlatform: 'Lambda' } },
    standIn: (resource) => {
      if (resource.cfnResourceType.startsWith('AWS::CodeDeploy::'))
        resource.node.scope?.node.tryRemoveChild(resource.node.id);
      if (resource instanceof CfnAlias) Reflect.deleteProperty(resource.cfnOptions, 'updatePolicy');
    },
  },
];
