import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Rule } from 'aws-cdk-lib/aws-events';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceApi } from '../constructs/service-api.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import type { ServiceResources } from '../constructs/service-resources.ts';

/** Everything of a deployment that has alarms and stands on its dashboard. */
export type Watched = Pick<ServiceResources, 'queues' | 'tables' | 'buckets'> & {
  /** The name of the stack, by which its own metrics are told from those of others. */
  readonly deployment: string;
  readonly api: HttpApi;
  readonly accessLog: LogGroup;
  readonly functions: readonly ServiceFunction[];
  readonly rules: readonly Rule[];
};

/** What there is to watch below a construct: functions and rules are found, so that none can be forgotten. */
export function watchedOf(
  scope: Construct,
  deployment: string,
  { queues, tables, buckets }: ServiceResources,
  { api, accessLog }: ServiceApi,
): Watched {
  const all = scope.node.findAll();
  const functions = all.filter((construct) => construct instanceof ServiceFunction);
  const rules = all.filter((construct) => construct instanceof Rule);
  return { deployment, queues, tables, buckets, api, accessLog, functions, rules };
}
