import type { CfnResource } from 'aws-cdk-lib';
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnManagedLoginBranding } from 'aws-cdk-lib/aws-cognito';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';

/** A resource that AWS accepts and the emulator rejects, with its replacement. */
type Rejection = {
  /** The emulator's error for `example`. */
  readonly message: string;
  /** The smallest resource that causes this error. */
  readonly example: { readonly Type: string; readonly Properties: object };
  /** Changes or removes the resource if it causes this error or refers to a resource that does. */
  readonly replace: (resource: CfnResource) => void;
};

/**
 * All differences between a deployment to the emulator and one to AWS. A test checks for each of them that the
 * emulator still rejects it.
 */
export const rejections: readonly Rejection[] = [
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
    replace: (resource) => {
      if (!(resource instanceof CfnAlarm) || resource.metrics === undefined) return;
      const { metricName, namespace } = { metricName: 'InsteadOfMetricMath', namespace: 'Emulator' };
      Object.assign(resource, { metrics: undefined, metricName, namespace, statistic: 'Sum', period: 60 });
    },
  },
  {
    message: 'Unrecognized resource types: [AWS::Logs::QueryDefinition]',
    example: { Type: 'AWS::Logs::QueryDefinition', Properties: { Name: 'Calls', QueryString: 'fields @message' } },
    replace: (resource) => {
      if (resource instanceof CfnQueryDefinition) resource.node.scope?.node.tryRemoveChild(resource.node.id);
    },
  },
  {
    // Without it, the login of people shows no page on AWS. The emulator has no login to look at.
    message: 'Unrecognized resource types: [AWS::Cognito::ManagedLoginBranding]',
    example: { Type: 'AWS::Cognito::ManagedLoginBranding', Properties: { UserPoolId: 'eu-central-1_pool' } },
    replace: (resource) => {
      if (resource instanceof CfnManagedLoginBranding) resource.node.scope?.node.tryRemoveChild(resource.node.id);
    },
  },
  {
    // Without CodeDeploy, new code receives all calls at once.
    message: 'Unrecognized resource types: [AWS::CodeDeploy::Application]',
    example: { Type: 'AWS::CodeDeploy::Application', Properties: { ComputePlatform: 'Lambda' } },
    replace: (resource) => {
      if (resource.cfnResourceType.startsWith('AWS::CodeDeploy::'))
        resource.node.scope?.node.tryRemoveChild(resource.node.id);
      if (resource instanceof CfnAlias) Reflect.deleteProperty(resource.cfnOptions, 'updatePolicy');
    },
  },
];
