import { type CfnResource, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';

/** Construct id of CDK's function that empties the buckets of a stack before their deletion. */
const emptierId = 'Custom::S3AutoDeleteObjectsCustomResourceProvider';

/**
 * Gives CDK's function that empties buckets a log group with retention, if the stack has that function. Its default log group
 * keeps all lines and is not deleted with the stack.
 */
export function limitEmptierLogs(stack: Stack, retention: RetentionDays): void {
  const emptier = stack.node.tryFindChild(emptierId);
  if (!emptier) return;
  const logs = new LogGroup(stack, 'BucketEmptierLogs', { retention, removalPolicy: RemovalPolicy.DESTROY });
  const handler = emptier.node.findChild('Handler') as CfnResource;
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logs.logGroupName });
}
