import { type CfnResource, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { LogGroup, type RetentionDays } from 'aws-cdk-lib/aws-logs';

/** Where CDK puts the function that empties the buckets of a stack before they are deleted. */
const emptierId = 'Custom::S3AutoDeleteObjectsCustomResourceProvider';

/**
 * Gives CDK's emptier of buckets a log group with retention, where a stack has it. By itself it would write to one that
 * keeps its lines for ever and stays when the stack is gone.
 */
export function limitEmptierLogs(stack: Stack, retention: RetentionDays): void {
  const emptier = stack.node.tryFindChild(emptierId);
  if (!emptier) return;
  const logs = new LogGroup(stack, 'BucketEmptierLogs', { retention, removalPolicy: RemovalPolicy.DESTROY });
  const handler = emptier.node.findChild('Handler') as CfnResource;
  handler.addPropertyOverride('LoggingConfig', { LogGroup: logs.logGroupName });
}
