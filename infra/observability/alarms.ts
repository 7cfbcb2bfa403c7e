import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type QueueName, queueNames, tableNames } from '#shared/runtime/names.ts';
import { queueWorkers, reconcileWorker } from '../functions/workers.ts';
import type { StageConfig } from '../settings/stages.ts';
import { type AlarmSpec, lasting } from './alarm-spec.ts';
import { functionAlarms } from './function-alarms.ts';
import { hookAlarms } from './hook-alarms.ts';
import { failedInvocations, ofOperations, percentage, period, serviceMetric, tableMetric } from './metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';
import { noticeAlarms } from './notice-alarms.ts';
import { apiFailsAtOnce, newVersionFails } from './rollback-alarms.ts';

/** Alarms that the dashboard shows together. */
export type AlarmGroup = { readonly title: string; readonly alarms: readonly AlarmSpec[] };

/** Every alarm of a deployment, derived from its resources. */
export function alarmsOf(
  monitored: MonitoredResources,
  { canaryMinutes }: Pick<StageConfig, 'canaryMinutes'>,
): readonly AlarmGroup[] {
  const rollback =
    canaryMinutes !== 0
      ? { api: [apiFailsAtOnce(monitored)], functions: monitored.functions.map(newVersionFails) }
      : undefined;
  return [
    {
      title: 'API and transcriptions',
      alarms: [...apiAlarms(monitored), ...(rollback?.api ?? []), ...transcriptionAlarms(monitored)],
    },
    {
      title: 'Queues, events and notices',
      alarms: [
        ...queueNames.flatMap(queueAlarms(monitored)),
        roomEventLag(monitored),
        bulkDeleteAge(monitored),
        beyondLimit(monitored),
        ...hookAlarms(monitored),
        ...noticeAlarms(monitored),
        ...ruleAlarms(monitored),
      ],
    },
    { title: 'Functions', alarms: [...functionAlarms(monitored.functions), ...(rollback?.functions ?? [])] },
    { title: 'Tables', alarms: tableAlarms(monitored) },
  ];
}

function apiAlarms({ api }: MonitoredResources): AlarmSpec[] {
  return [
    {
      id: 'ApiServerErrors',
      severity: 'urgent',
      metric: percentage(
        api.metricServerError({ period, statistic: Stats.SUM }),
        api.metricCount({ period, statistic: Stats.SUM }),
      ),
      limit: { above: 1 }, // percent
      ...lasting,
      meaning: 'More than 1 % of the requests to the API got a 5xx answer.',
      section: 'api-errors',
    },
    {
      id: 'ApiLatency',
      severity: 'routine',
      metric: api.metricLatency({ period, statistic: Stats.p(99) }),
      limit: { atLeast: slowestAnswer.toMilliseconds() },
      ...lasting,
      meaning: `The p99 latency of the API is ${slowestAnswer.toSeconds()} seconds or more.`,
      section: 'api-latency',
    },
  ];
}

/** Age at which the deletion of transcriptions is late. A full round over a message while S3 or DynamoDB is down takes half as long. */
const latestDeletion = Duration.hours(6);

/** Longest answer that an endpoint may take, cold start included. Longer work goes to a queue. */
const slowestAnswer = Duration.seconds(3);

/** The longest piece is 4 hours. Transcribe takes less than half of it. The third hour is for preparing and for other parts. */
const longestTimeToReady = Duration.hours(3);

function transcriptionAlarms({ deployment, functions }: MonitoredResources): AlarmSpec[] {
  const reconciler = functions.find(({ name }) => name === reconcileWorker.name)?.function;
  if (!reconciler) throw new Error('The stack has no reconciler to monitor.');
  return [
    {
      id: 'TranscribeBusy',
      severity: 'routine',
      metric: serviceMetric(deployment, 'TranscribeBusy', Stats.SUM, { period: Duration.minutes(15) }),
      limit: { atLeast: 1 },
      periods: 2,
      meaning:
        'Transcribe has rejected jobs for half an hour: its request rate or its number of concurrent jobs is used up.',
      section: 'transcribe-busy',
    },
    {
      id: 'TimeToReady',
      severity: 'routine',
      metric: serviceMetric(deployment, 'TimeToReady', Stats.p(90), { period: Duration.hours(1) }),
      limit: { atLeast: longestTimeToReady.toSeconds() },
      meaning: `A tenth of the transcriptions that became ready in an hour took ${longestTimeToReady.toHours()} hours or more.`,
      section: 'time-to-ready',
    },
    {
      id: 'JobsHealed',
      severity: 'routine',
      metric: serviceMetric(deployment, 'JobsHealed', Stats.SUM, { period: Duration.hours(1) }),
      limit: { atLeast: 3 },
      meaning: 'The reconciler repaired three or more transcriptions in an hour: messages or events are being lost.',
      section: 'jobs-healed',
    },
    {
      id: 'JobsGivenUp',
      severity: 'routine',
      metric: serviceMetric(deployment, 'JobsGivenUp', Stats.SUM),
      limit: { atLeast: 1 },
      meaning: 'A transcription was set to failed, because it did not end in time.',
      section: 'jobs-given-up',
    },
    {
      id: 'ReconcilerMissing',
      severity: 'routine',
      metric: reconciler.metricInvocations({ period: Duration.minutes(10) }),
      limit: { below: 1 },
      withoutData: 'alarming', // it runs every two minutes
      meaning: 'The reconciler has not run for ten minutes, so lost messages and events are not repaired.',
      section: 'reconciler-missing',
    },
  ];
}

/**
 * A message expires 14 days after it was first sent, and may have spent 7 of them in its queue. The age of a dead letter counts
 * from its arrival in the dead-letter queue: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/setting-up-dead-letter-queue-retention.html
 */
const oldestDeadLetter = Duration.days(4);

function workerOf(queue: QueueName) {
  const worker = queueWorkers.find((each) => each.queue === queue);
  if (!worker) throw new Error(`No worker reads the queue ${queue}.`);
  return worker;
}

function queueAlarms({ queues }: MonitoredResources): (name: QueueName) => AlarmSpec[] {
  return (name) => {
    const { queue, deadLetterQueue } = queues[name];
    const worker = workerOf(name);
    const maximumPerMinute = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };
    return [
      {
        id: `${name}-DeadLetters`,
        severity: 'routine',
        metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible(maximumPerMinute),
        limit: { atLeast: 1 },
        meaning: `The dead-letter queue of ${name} has messages: ${worker.name} failed five times, or could not parse the message.`,
        section: 'dead-letters',
      },
      {
        id: `${name}-DeadLettersAge`,
        severity: 'urgent',
        metric: deadLetterQueue.metricApproximateAgeOfOldestMessage(maximumPerMinute),
        limit: { atLeast: oldestDeadLetter.toSeconds() },
        meaning: `A dead letter of ${name} is ${oldestDeadLetter.toDays()} days old. SQS deletes it in 3 to 10 days.`,
        section: 'old-dead-letters',
      },
      {
        id: `${name}-Age`,
        severity: 'urgent',
        metric: queue.metricApproximateAgeOfOldestMessage(maximumPerMinute),
        limit: { atLeast: worker.oldestMessage.toSeconds() },
        meaning: `The oldest message in ${name} has waited for ${worker.oldestMessage.toMinutes()} minutes: ${worker.name} does not keep up.`,
        section: 'old-messages',
      },
    ];
  };
}

/** The age of a message starts again when it is sent back, so the alarm on that age does not see events that are late. */
function roomEventLag({ deployment }: MonitoredResources): AlarmSpec {
  const { oldestMessage } = workerOf('roomEvents');
  return {
    id: 'RoomEventLag',
    severity: 'urgent',
    metric: serviceMetric(deployment, 'RoomEventLag', Stats.p(99)),
    limit: { atLeast: oldestMessage.toMilliseconds() },
    meaning: `A hundredth of the room events were recorded ${oldestMessage.toMinutes()} minutes after they came, or later.`,
    section: 'old-messages',
  };
}

/** The age of a message starts again with each turn of its bulk delete, so the alarm on that age does not see a late one. */
function bulkDeleteAge({ deployment }: MonitoredResources): AlarmSpec {
  return {
    id: 'BulkDeleteAge',
    severity: 'routine',
    metric: serviceMetric(deployment, 'BulkDeleteAge', Stats.MAXIMUM),
    limit: { atLeast: latestDeletion.toSeconds() },
    meaning: `A bulk delete that was accepted ${latestDeletion.toHours()} hours ago is not finished.`,
    section: 'late-bulk-deletes',
  };
}

function beyondLimit({ deployment }: MonitoredResources): AlarmSpec {
  return {
    id: 'ParticipantsBeyondLimit',
    severity: 'routine',
    metric: serviceMetric(deployment, 'ParticipantsBeyondLimit', Stats.SUM, { period: Duration.hours(1) }),
    limit: { atLeast: 1 },
    meaning: 'A participant sent more events in a session than count, so the figures leave some of them out.',
    section: 'participants-beyond-a-limit',
  };
}

function ruleAlarms({ rules }: MonitoredResources): AlarmSpec[] {
  return rules.map((rule) => ({
    id: `${rule.node.id}-FailedInvocations`,
    severity: 'routine',
    metric: failedInvocations(rule),
    limit: { atLeast: 1 },
    meaning: `EventBridge could not deliver events of the rule ${rule.node.id}.`,
    section: 'failed-invocations',
  }));
}

/** Errors in five minutes. The SDK retries each one, so this many are more than a passing fault. */
const systemErrors = 5;
/** Conflicts in five minutes: one a second, more than the writers of one busy room cause. */
const transactionConflicts = 300;

function tableAlarms(monitored: MonitoredResources): AlarmSpec[] {
  return tableNames.flatMap((name): AlarmSpec[] => [
    {
      id: `${name}-SystemErrors`,
      severity: 'routine',
      metric: ofOperations(name, monitored, 'SystemErrors'),
      limit: { atLeast: systemErrors },
      ...lasting,
      meaning: `DynamoDB reports internal errors on the table ${name}.`,
      section: 'table-errors',
    },
    {
      id: `${name}-ThrottledRequests`,
      severity: 'routine',
      metric: ofOperations(name, monitored, 'ThrottledRequests'),
      limit: { atLeast: 1 },
      ...lasting,
      meaning: `DynamoDB throttles the table ${name} or one of its indexes.`,
      section: 'table-throttles',
    },
    {
      id: `${name}-TransactionConflicts`,
      severity: 'routine',
      metric: tableMetric(monitored.tables[name], 'TransactionConflict'),
      limit: { atLeast: transactionConflicts },
      periods: 3,
      meaning: `Transactions on ${name} have conflicted at least once a second, on average, for a quarter of an hour.`,
      section: 'transaction-conflicts',
    },
  ]);
}
