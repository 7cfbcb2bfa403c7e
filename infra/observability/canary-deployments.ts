import { Validations } from 'aws-cdk-lib';
import {
  type ILambdaDeploymentConfig,
  LambdaApplication,
  LambdaDeploymentConfig,
  LambdaDeploymentGroup,
} from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { versionField } from '#shared/runtime/names.ts';
import { liveAlias, type ServiceFunction } from '../functions/service-function.ts';
import type { CanaryMinutes } from '../settings/stages.ts';
import { newVersionErrors } from './metrics.ts';
import type { ServiceAlarms } from './service-alarms.ts';

/** The functions to deploy gradually, the minutes in which a tenth of the calls goes to the new version, and the alarms that roll back. */
type CanaryDeploymentsProps = {
  readonly minutes: Exclude<CanaryMinutes, 0>;
  readonly functions: readonly ServiceFunction[];
  readonly alarms: ServiceAlarms;
};

/**
 * Deploys new versions of one stack's functions with CodeDeploy: first a tenth of the calls, then all. An alarm switches back
 * to the old version. CloudFormation waits for the deployment, and rolls back the whole update if it fails.
 */
export class CanaryDeployments extends Construct {
  constructor(scope: Construct, id: string, { minutes, functions, alarms }: CanaryDeploymentsProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = this.createRole(functions).withoutPolicyUpdates(); // otherwise CDK adds a policy for each function
    for (const each of functions) {
      const group = new LambdaDeploymentGroup(this, each.name, {
        application,
        role,
        alias: each.live,
        alarms: alarms.rollingBack(each),
        deploymentConfig: deploymentConfigs[minutes],
        autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      });
      // Alarms and metric filter must know the new version before it gets its first call.
      group.node.addDependency(countErrors(group, each));
      (each.live.node.defaultChild as CfnAlias).node.addDependency(group);
    }
  }

  private createRole(functions: readonly ServiceFunction[]): Role {
    const aliases = functions.map(({ function: { functionArn } }) => `${functionArn}:${liveAlias}`);
    const shiftTraffic = new PolicyStatement({
      actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      resources: [...functions.map(({ function: { functionArn } }) => functionArn), ...aliases],
    });
    const readAlarms = new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] });
    const role = new Role(this, 'Role', {
      description: 'Shifts the calls of functions from one version to the next',
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      inlinePolicies: { Deploy: new PolicyDocument({ statements: [shiftTraffic, readAlarms] }) },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'DescribeAlarms works on a list of alarms and has no resource. It reads nothing but their states.',
    });
    return role;
  }
}

const deploymentConfigs: Readonly<Record<Exclude<CanaryMinutes, 0>, ILambdaDeploymentConfig>> = {
  5: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
  10: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
  15: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
  30: LambdaDeploymentConfig.CANARY_10PERCENT_30MINUTES,
};

/** Counts the errors that the new version logs. Each log line carries its version. */
function countErrors(scope: Construct, target: ServiceFunction): MetricFilter {
  const { version } = target.function.currentVersion;
  return new MetricFilter(scope, 'Errors', {
    logGroup: target.logGroup,
    filterPattern: FilterPattern.literal(`{ $.level = "ERROR" && $.${versionField} = "${version}" }`),
    ...newVersionErrors(target),
  });
}
