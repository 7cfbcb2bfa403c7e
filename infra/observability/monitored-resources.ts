import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Rule } from 'aws-cdk-lib/aws-events';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceApi } from '../api/service-api.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import type { ServiceResources } from '../storage/service-resources.ts';

/** Everything of a deployment that has alarms and appears on its dashboard. */
export type MonitoredResources = Pick<ServiceResources, 'deployment' | 'queues' | 'tables' | 'buckets'> & {
  readonly api: HttpApi;
  readonly accessLog: LogGroup;
  readonly functions: readonly ServiceFunction[];
  readonly rules: readonly Rule[];
};

/**
 * The resources to monitor below a construct. Functions and rules are found in the construct tree, nested stacks included,
 * so that no list can omit one. Call it after all of them are created.
 */
export function findMonitoredResources(
  scope: Construct,
  { deployment, queues, tables, buckets }: ServiceResources,
  { api, accessLog }: ServiceApi,
): MonitoredResources {
  const all = scope.node.findAll();
  const functions = all.filter((construct) => construct instanceof ServiceFunction);
  const rules = all.filter((construct) => construct instanceof Rule);
  return { deployment, queues, tables, buckets, api, accessLog, functions, rules };
}
