import { type IMetric, type IWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/runtime/names.ts';
import { relayWorker } from '../functions/workers.ts';
import { row } from './dashboard-row.ts';
import { period, serviceMetric } from './metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';

/** Notices on their way out: how many, how late, and those that the sweep had to relay. */
export function noticesRow({ deployment, functions }: MonitoredResources): IWidget[] {
  const count = (name: MetricName, label: string) => serviceMetric(deployment, name, Stats.SUM, { label });
  const streamed = functions.filter(({ name }) => name === relayWorker.name);
  return row(
    {
      title: 'Notices',
      left: [
        count('SessionEndsTold', 'ends of sessions'),
        count('NoticesRelayed', 'relayed'),
        count('NoticeEventsPut', 'put on the bus'),
        count('NoticesHealed', 'relayed by the sweep'),
      ],
    },
    { title: 'From change to relay, ms', left: percentiles(deployment, 'NoticeLag') },
    {
      title: 'Age of the oldest record of the stream, ms',
      left: streamed.map(({ name: label, function: one }) =>
        one.metric('IteratorAge', { period, label, statistic: Stats.MAXIMUM }),
      ),
    },
    {
      title: 'Age of the oldest notice that is not relayed, seconds',
      left: [serviceMetric(deployment, 'NoticeAge', Stats.MAXIMUM, { label: 'notices' })],
    },
  );
}

/** Calls of webhooks, and the webhooks whose receivers are down. */
export function deliveriesRow({ deployment }: MonitoredResources): IWidget[] {
  const count = (name: MetricName, label: string) => serviceMetric(deployment, name, Stats.SUM, { label });
  return row(
    {
      title: 'Deliveries',
      left: [
        count('DeliveriesMade', 'made'),
        count('DeliveriesFailed', 'failed attempts'),
        count('DeliveriesGivenUp', 'given up'),
      ],
    },
    { title: 'From notice to delivery, ms', left: percentiles(deployment, 'DeliveryLag') },
    {
      title: 'Webhooks whose receivers are down',
      left: [count('WebhooksParked', 'parked'), count('WebhooksDisabled', 'disabled')],
    },
  );
}

function percentiles(deployment: string, name: MetricName): IMetric[] {
  return [50, 99].map((percentile) =>
    serviceMetric(deployment, name, Stats.p(percentile), { label: `p${percentile}` }),
  );
}
