import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/runtime/names.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { relayWorker, settleWorker, sweepWorker } from '../functions/workers.ts';
import type { AlarmSpec } from './alarm-spec.ts';
import { period, serviceMetric } from './metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';

/** Age of a record in the stream at which its notice is late. The sweep has relayed the notice by then. */
const oldestRecord = Duration.minutes(5);

/** Age of a notice at which neither the stream nor the sweep has relayed it. */
const oldestNotice = Duration.minutes(30);

/** Failed calls in an hour, without one that succeeded. One receiver that is down is called less often, because it is parked. */
const failedCalls = 30;

/** Time after which a worker that a schedule runs every minute is missed. */
const missedAfter = Duration.minutes(10);

const hour = Duration.hours(1);

/** The alarms on notices that are not told. The queues of notices have those of every queue. */
export function noticeAlarms(monitored: MonitoredResources): AlarmSpec[] {
  return [
    ...relayAlarms(monitored),
    ...webhookAlarms(monitored),
    missingRuns(monitored, sweepWorker.name, 'lost notices are not relayed, and webhooks that wait are not called'),
    missingRuns(monitored, settleWorker.name, 'the ends of sessions are not told'),
  ];
}

function relayAlarms(monitored: MonitoredResources): AlarmSpec[] {
  const { deployment } = monitored;
  const relay = functionOf(monitored, relayWorker.name);
  return [
    {
      id: 'NoticeStreamAge',
      severity: 'routine', // the sweep relays the notices
      metric: relay.metric('IteratorAge', { period, statistic: Stats.MAXIMUM }),
      limit: { atLeast: oldestRecord.toMilliseconds() },
      meaning: `A record of the stream of notices is ${oldestRecord.toMinutes()} minutes old: ${relayWorker.name} does not keep up.`,
      section: 'old-records-of-the-stream',
    },
    {
      id: 'NoticesHealed',
      severity: 'routine',
      metric: serviceMetric(deployment, 'NoticesHealed', Stats.SUM, { period: hour }),
      limit: { atLeast: 1 },
      periods: 3,
      breaches: 2, // a disturbance of minutes ends in one hour
      meaning: `${sweepWorker.name} relayed notices in two of the last three hours: the stream is losing them.`,
      section: 'notices-healed',
    },
    {
      id: 'NoticeAge',
      severity: 'urgent',
      metric: serviceMetric(deployment, 'NoticeAge', Stats.MAXIMUM),
      limit: { atLeast: oldestNotice.toSeconds() },
      meaning: `A notice is ${oldestNotice.toMinutes()} minutes old, and nobody has been told it: neither the stream nor ${sweepWorker.name} could relay it.`,
      section: 'old-notices',
    },
  ];
}

function webhookAlarms({ deployment }: MonitoredResources): AlarmSpec[] {
  const count = (name: MetricName) => serviceMetric(deployment, name, Stats.SUM, { period: hour });
  return [
    {
      id: 'DeliveriesFailing',
      severity: 'urgent',
      metric: new MathExpression({
        expression: 'IF(FILL(made, 0) > 0, 0, failed)',
        usingMetrics: { made: count('DeliveriesMade'), failed: count('DeliveriesFailed') },
        period: hour,
      }),
      limit: { atLeast: failedCalls },
      meaning: `Webhooks were called ${failedCalls} times in an hour, and no call succeeded.`,
      section: 'failing-deliveries',
    },
    {
      id: 'DeliveriesGivenUp',
      severity: 'routine',
      metric: count('DeliveriesGivenUp'),
      limit: { atLeast: 1 },
      meaning: 'The delivery of a notice was given up: its webhook did not take it for three days.',
      section: 'deliveries-given-up',
    },
    {
      id: 'WebhooksDisabled',
      severity: 'routine',
      metric: serviceMetric(deployment, 'WebhooksDisabled', Stats.SUM),
      limit: { atLeast: 1 },
      meaning: 'The service disabled a webhook, because no call of it has succeeded for days.',
      section: 'webhooks-disabled',
    },
  ];
}

function missingRuns(monitored: MonitoredResources, name: string, effect: string): AlarmSpec {
  return {
    id: `${name}-Missing`,
    severity: 'routine',
    metric: functionOf(monitored, name).metricInvocations({ period: missedAfter }),
    limit: { below: 1 },
    withoutData: 'alarming', // it runs every minute
    meaning: `${name} has not run for ${missedAfter.toMinutes()} minutes, so ${effect}.`,
    section: 'missing-runs',
  };
}

function functionOf({ functions }: MonitoredResources, name: string): ServiceFunction['function'] {
  const found = functions.find((one) => one.name === name);
  if (!found) throw new Error(`The stack has no function ${name} to monitor.`);
  return found.function;
}
