import { RemovalPolicy } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../settings/stages.ts';

/**
 * A log group with the retention of the stage. A stage that keeps its data also keeps its logs, because they say what
 * happened before the stack was deleted.
 */
export class ServiceLogs extends LogGroup {
  constructor(scope: Construct, id: string, { logRetention, removalPolicy }: StageConfig) {
    super(scope, id, {
      retention: logRetention,
      // With RETAIN, the log group of a failed first deployment would remain.
      removalPolicy: removalPolicy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : removalPolicy,
    });
  }
}
