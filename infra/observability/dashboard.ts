import {
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  type Metric,
  SingleValueWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, queueNames, tableNames } from '#shared/runtime/names.ts';
import type { ServiceFunction } from '../functions/service-function.ts';
import { fullWidth, heading, row } from './dashboard-row.ts';
import {
  incomingBytes,
  ofOperations,
  percentage,
  period,
  serviceMetric,
  storedBytes,
  tableMetric,
  total,
} from './metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';
import { deliveriesRow, noticesRow } from './notice-graphs.ts';

/** The rows of the dashboard, most urgent first: API, queues, transcriptions, webhooks, notices, tables, costs. */
export function dashboardRows(monitored: MonitoredResources): IWidget[][] {
  const { functions } = monitored;
  const endpoints = functions.filter(({ isEndpoint }) => isEndpoint);
  const workers = functions.filter(({ isEndpoint }) => !isEndpoint);
  return [
    [heading('API')],
    apiRow(monitored),
    [heading('Endpoints: traffic, errors, latency, saturation')],
    functionsRow(endpoints),
    [answersByRoute(monitored)],
    [heading('Queues and workers')],
    queuesRow(monitored),
    functionsRow(workers),
    [heading('Transcriptions and insights')],
    funnelRow(monitored),
    speedRow(monitored),
    lagRow(monitored),
    [heading('Webhooks of platforms')],
    hooksRow(monitored),
    [heading('Notices and webhooks of organizations')],
    noticesRow(monitored),
    deliveriesRow(monitored),
    [heading('Tables')],
    tablesRow(monitored),
    [heading('Costs')],
    ...costRows(monitored),
  ];
}

function apiRow({ api }: MonitoredResources): IWidget[] {
  const sum = { statistic: Stats.SUM, period };
  const latency = (percentile: number) =>
    api.metricLatency({ statistic: Stats.p(percentile), period, label: `p${percentile}` });
  const errors = { clients: api.metricClientError(sum), servers: api.metricServerError(sum) };
  return row(
    { title: 'Requests', left: [api.metricCount({ ...sum, label: 'requests' })] },
    {
      title: 'Errors, % of requests',
      left: [
        percentage(errors.servers, api.metricCount(sum), { label: '5xx' }),
        percentage(errors.clients, api.metricCount(sum), { label: '4xx' }),
      ],
    },
    { title: 'Latency', left: [latency(50), latency(90), latency(99)] },
  );
}

/** Graphs with one line per function. */
function functionsRow(functions: readonly ServiceFunction[]): IWidget[] {
  const each = (metricOf: (one: ServiceFunction) => IMetric) => functions.map(metricOf);
  return row(
    { title: 'Calls', left: each(({ name: label, function: one }) => one.metricInvocations({ period, label })) },
    {
      title: 'Crashes and timeouts (left), throttles (right)',
      left: each(({ name: label, function: one }) => one.metricErrors({ period, label })),
      right: each(({ name: label, function: one }) => one.metricThrottles({ period, label })),
    },
    {
      title: 'Duration, p99',
      left: each(({ name: label, function: one }) => one.metricDuration({ period, label, statistic: Stats.p(99) })),
    },
    {
      title: 'Running at once',
      left: each(({ name: label, function: one }) =>
        one.metric('ConcurrentExecutions', { period, label, statistic: Stats.MAXIMUM }),
      ),
    },
  );
}

/** Counted from the access log: Lambda does not count a 500 answer as an error, and metrics by route cost extra. */
function answersByRoute({ accessLog }: MonitoredResources): IWidget {
  return new LogQueryWidget({
    title: 'Answers by route and status',
    logGroupNames: [accessLog.logGroupName],
    view: LogQueryVisualizationType.TABLE,
    queryLines: [
      'stats count(*) as answers, pct(responseLatencyMs, 50) as p50, pct(responseLatencyMs, 99) as p99 by routeKey, status',
      'sort status desc, answers desc',
    ],
    width: fullWidth,
    height: 8,
  });
}

function queuesRow({ queues }: MonitoredResources): IWidget[] {
  const often = { statistic: Stats.MAXIMUM, period };
  return row(
    {
      title: 'Messages waiting',
      left: queueNames.map((label) =>
        queues[label].queue.metricApproximateNumberOfMessagesVisible({ ...often, label }),
      ),
    },
    {
      title: 'Age of the oldest message, seconds',
      left: queueNames.map((label) => queues[label].queue.metricApproximateAgeOfOldestMessage({ ...often, label })),
    },
    {
      title: 'Dead letters',
      left: queueNames.map((label) =>
        queues[label].deadLetterQueue.metricApproximateNumberOfMessagesVisible({ ...often, label }),
      ),
    },
  );
}

const funnel: Readonly<Partial<Record<MetricName, string>>> = {
  TranscriptionsCreated: 'created',
  TranscriptionsStarted: 'started',
  TranscriptionsReady: 'ready',
  TranscriptionsFailed: 'failed',
  TranscriptionsDeleted: 'deleted',
};

function funnelRow({ deployment }: MonitoredResources): IWidget[] {
  const metrics = (Object.entries(funnel) as [MetricName, string][]).map(([name, label]) =>
    serviceMetric(deployment, name, Stats.SUM, { label }),
  );
  const width = fullWidth / 2;
  return [
    new SingleValueWidget({
      title: 'Transcriptions, in the selected time range',
      metrics,
      setPeriodToTimeRange: true,
      width,
      height: 6,
    }),
    new GraphWidget({ title: 'Transcriptions, over time', left: metrics, width, period }),
  ];
}

function lagRow({ deployment }: MonitoredResources): IWidget[] {
  const lag = (name: MetricName, label: string) =>
    [50, 99].map((percentile) =>
      serviceMetric(deployment, name, Stats.p(percentile), { label: `${label}, p${percentile}` }),
    );
  const count = (name: MetricName, label: string) => serviceMetric(deployment, name, Stats.SUM, { label });
  return row(
    {
      title: 'Insight lag: from queue to record, ms',
      left: [...lag('RoomEventLag', 'room events'), ...lag('NetworkSampleLag', 'network samples')],
    },
    {
      title: 'Age of the oldest bulk delete, seconds',
      left: [serviceMetric(deployment, 'BulkDeleteAge', Stats.MAXIMUM, { label: 'bulk deletes' })],
    },
    { title: 'Participants with more events than count', left: [count('ParticipantsBeyondLimit', 'changes')] },
    {
      title: 'Reconciler and Transcribe',
      left: [
        count('JobsHealed', 'repaired'),
        count('JobsGivenUp', 'given up'),
        count('TranscribeBusy', 'rejected by Transcribe'),
        count('PartsFailed', 'failed parts'),
      ],
    },
  );
}

/** Webhooks that arrived, that became no event yet, and what they told that insights do not show. */
function hooksRow({ deployment }: MonitoredResources): IWidget[] {
  const count = (name: MetricName, label: string) => serviceMetric(deployment, name, Stats.SUM, { label });
  return row(
    { title: 'Webhooks', left: [count('HooksReceived', 'received'), count('HooksParked', 'wait for their session')] },
    {
      title: 'Refused webhooks',
      left: [
        count('HooksRefused', 'wrong signature'),
        count('HooksTooLarge', 'larger than 1 MiB'),
        count('OwnNoticesDropped', 'own notices'),
        count('HookEventsDropped', 'dropped events'),
        count('HookFilesRefused', 'files elsewhere'),
      ],
    },
    { title: 'Participants who could not join', left: [count('FailedJoins', 'participants')] },
    { title: 'Sessions closed without an end', left: [count('IdleSessionsClosed', 'sessions')] },
  );
}

function speedRow({ deployment }: MonitoredResources): IWidget[] {
  const hours = (name: MetricName, label: string) =>
    new MathExpression({
      expression: `${name.toLowerCase()} / 3600`,
      usingMetrics: { [name.toLowerCase()]: serviceMetric(deployment, name, Stats.SUM) },
      label,
      period,
    });
  return row(
    {
      title: 'From create to ready, seconds',
      left: [50, 90].map((percentile) =>
        serviceMetric(deployment, 'TimeToReady', Stats.p(percentile), { label: `p${percentile}` }),
      ),
    },
    {
      title: 'Hours of recordings',
      left: [
        hours('TranscribedTime', 'given to Transcribe'),
        hours('PreparedTime', 'prepared'),
        hours('SilenceLeftOut', 'silence left out'),
      ],
    },
    {
      title: 'Bytes prepared',
      left: [serviceMetric(deployment, 'PreparedBytes', Stats.SUM, { label: 'bytes' })],
    },
  );
}

function tablesRow(monitored: MonitoredResources): IWidget[] {
  const byOperation = (metricName: 'SystemErrors' | 'ThrottledRequests') =>
    tableNames.map((name) => ofOperations(name, monitored, metricName));
  return row(
    { title: 'Throttled requests', left: byOperation('ThrottledRequests') },
    { title: 'System errors', left: byOperation('SystemErrors') },
    {
      title: 'Transaction conflicts',
      left: tableNames.map((name) => tableMetric(monitored.tables[name], 'TransactionConflict', {}, name)),
    },
  );
}

function costRows({ deployment, api, accessLog, functions, queues, tables, buckets }: MonitoredResources): IWidget[][] {
  const hours = new MathExpression({
    expression: 'seconds / 3600',
    usingMetrics: { seconds: serviceMetric(deployment, 'TranscribedTime', Stats.SUM) },
    label: 'hours',
    period,
  });
  const logGroups = [accessLog, ...functions.map(({ logGroup }) => logGroup)];
  return [
    row(
      { title: 'Hours transcribed', left: [hours] },
      { title: 'Lambda, GB-seconds', stacked: true, left: gigabyteSeconds(functions) },
      { title: 'API requests', left: [api.metricCount({ statistic: Stats.SUM, period, label: 'requests' })] },
      {
        title: 'Messages sent',
        left: queueNames.map((label) => queues[label].queue.metricNumberOfMessagesSent({ period, label })),
      },
    ),
    row(
      { title: 'Read units', stacked: true, left: consumedUnits(tables, 'ConsumedReadCapacityUnits') },
      { title: 'Write units', stacked: true, left: consumedUnits(tables, 'ConsumedWriteCapacityUnits') },
      { title: 'Bytes logged', left: [total(byIndex('log', logGroups.map(incomingBytes)), { label: 'bytes' })] },
      {
        title: 'Bytes stored',
        left: [storedBytes(buckets.recordings, 'recordings'), storedBytes(buckets.transcripts, 'transcripts')],
      },
    ),
  ];
}

/** Two lines per table: the table itself, and all its indexes, which DynamoDB counts separately. */
function consumedUnits(tables: MonitoredResources['tables'], metricName: string): IMetric[] {
  return tableNames.flatMap((name) => [
    tableMetric(tables[name], metricName, {}, name),
    new MathExpression({
      expression: `SUM(SEARCH('{AWS/DynamoDB,TableName,GlobalSecondaryIndexName} TableName="${tables[name].tableName}" MetricName="${metricName}"', 'Sum'))`,
      label: `${name}, indexes`,
      period,
    }),
  ]);
}

/** One line per memory size, because seconds can be added up only within one size. */
function gigabyteSeconds(functions: readonly ServiceFunction[]): MathExpression[] {
  return [...Map.groupBy(functions, ({ memorySize }) => memorySize)].map(([megabytes, alike]) => {
    const metrics = byIndex(
      `of${megabytes}n`,
      alike.map(({ function: one }) => one.metricDuration({ period, statistic: Stats.SUM })),
    );
    return new MathExpression({
      expression: `${megabytes / 1024} * SUM([${Object.keys(metrics).join(', ')}]) / 1000`,
      usingMetrics: metrics,
      label: `${megabytes} MB`,
      period,
    });
  });
}

function byIndex(letter: string, metrics: readonly Metric[]): Record<string, Metric> {
  return Object.fromEntries(metrics.map((metric, index) => [`${letter}${index}`, metric]));
}
