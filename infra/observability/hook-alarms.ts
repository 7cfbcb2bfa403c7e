import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import { metricsNamespace } from '#shared/runtime/names.ts';
import { type AlarmSpec, lasting } from './alarm-spec.ts';
import { period, serviceMetric } from './metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';

/** Refused webhooks of known connections in five minutes. One or two are a sender's clock or a retry that came late. */
const refusedHooks = 10;

/** Longest answer to a webhook. Platforms give up after a few seconds, and one stops sending after some late answers. */
const slowestHookAnswer = Duration.seconds(1);

/** The alarms on webhooks that do not become events. The queue of webhooks has those of every queue. */
export function hookAlarms({ deployment, functions }: MonitoredResources): AlarmSpec[] {
  const { operationId } = selfAuthenticatedEndpoints.receiveHook;
  const receiver = functions.find(({ name }) => name === operationId)?.function;
  if (!receiver) throw new Error(`The stack has no function ${operationId} to monitor.`);
  return [
    {
      id: 'HooksRefused',
      severity: 'routine',
      metric: serviceMetric(deployment, 'HooksRefused', Stats.SUM),
      limit: { atLeast: refusedHooks },
      meaning: `The signatures of ${refusedHooks} webhooks of known connections were wrong or too old in five minutes. Their events are lost if the platform does not repeat them.`,
      section: 'refused-webhooks',
    },
    {
      id: 'HooksTooLarge',
      severity: 'routine',
      metric: largeHooks(deployment),
      limit: { atLeast: 1 },
      meaning: 'A webhook was larger than 1 MiB and was refused.',
      section: 'large-webhooks',
    },
    {
      id: 'HookEventsDropped',
      severity: 'routine',
      metric: serviceMetric(deployment, 'HookEventsDropped', Stats.SUM),
      limit: { atLeast: 1 },
      meaning: 'A part of a webhook was no valid event and was dropped. The rest of the webhook counts.',
      section: 'dropped-events',
    },
    {
      id: 'HookFilesRefused',
      severity: 'routine',
      metric: serviceMetric(deployment, 'HookFilesRefused', Stats.SUM),
      limit: { atLeast: 1 },
      meaning: 'A webhook named a recording outside the buckets of its connection. The recording was left out.',
      section: 'refused-files',
    },
    {
      id: 'HookLatency',
      severity: 'routine',
      metric: receiver.metricDuration({ period, statistic: Stats.p(99) }),
      limit: { atLeast: slowestHookAnswer.toMilliseconds() },
      ...lasting,
      meaning: `The p99 duration of ${operationId} is ${slowestHookAnswer.toSeconds()} second or more. Platforms give up on slow answers.`,
      section: 'slow-webhooks',
    },
  ];
}

/** The name of the metric of webhooks that got a 413. A metric filter can have no fixed dimension, so the name has the deployment. */
function largeHooksMetric(deployment: string) {
  return { metricNamespace: `${metricsNamespace}/AccessLog`, metricName: `${deployment}/HooksTooLarge` };
}

function largeHooks(deployment: string): Metric {
  const { metricNamespace: namespace, metricName } = largeHooksMetric(deployment);
  return new Metric({ namespace, metricName, statistic: Stats.SUM, period });
}

/**
 * Counts the webhooks that got a 413, in the access log. Those above some megabytes never reach the function: the gateway refuses them, and
 * may do so before it looks for their route.
 */
export function countLargeHooks(scope: Construct, { deployment, accessLog }: MonitoredResources): void {
  const { method, path } = selfAuthenticatedEndpoints.receiveHook;
  const routes = [`${method} ${path}`, '-'].map((route) => FilterPattern.stringValue('$.routeKey', '=', route));
  new MetricFilter(scope, 'LargeHooks', {
    logGroup: accessLog,
    filterPattern: FilterPattern.all(FilterPattern.stringValue('$.status', '=', '413'), FilterPattern.any(...routes)),
    ...largeHooksMetric(deployment),
  });
}
