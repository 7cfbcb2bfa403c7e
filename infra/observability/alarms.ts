import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { type QueueName, queueNames, tableNames } from '../../shared/names.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { StageConfig } from '../stages.ts';
import { queueWorkers, reconcileWorker } from '../workers.ts';
import type { AlarmSpec } from './alarm-spec.ts';
import { failedInvocations, ofOperations, percentage, period, serviceMetric, tableMetric } from './metrics.ts';
import { apiFailsAtOnce, newVersionFails } from './rollback-alarms.ts';
import type { Watched } from './watched.ts';

/** Alarms that belong together, as the dashboard shows them. */
export type AlarmGroup = { readonly title: string; readonly alarms: readonly AlarmSpec[] };

/** Every alarm of a deployment, made from the lists of what it has. */
export function alarmsOf(
  watched: Watched,
  { canaryMinutes }: Pick<StageConfig, 'canaryMinutes'>,
): readonly AlarmGroup[] {
  const rollback =
    canaryMinutes !== 0
      ? { api: [apiFailsAtOnce(watched)], functions: watched.functions.map(newVersionFails) }
      : undefined;
  return [
    {
      title: 'API and transcriptions',
      alarms: [...apiAlarms(watched), ...(rollback?.api ?? []), ...transcriptionAlarms(watched)],
    },
    { title: 'Queues and events', alarms: [...queueNames.flatMap(queueAlarms(watched)), ...ruleAlarms(watched)] },
    { title: 'Functions', alarms: [...watched.functions.flatMap(functionAlarms), ...(rollback?.functions ?? [])] },
    { title: 'Tables', alarms: tableAlarms(watched) },
  ];
}

/** Two of three periods: one stray failure of few calls wakes nobody. */
const lasting = { periods: 3, breaches: 2 };

function apiAlarms({ api }: Watched): AlarmSpec[] {
  return [
    {
      id: 'ApiServerErrors',
      metric: percentage(
        api.metricServerError({ period, statistic: Stats.SUM }),
        api.metricCount({ period, statistic: Stats.SUM }),
      ),
      limit: { above: 1 }, // percent
      ...lasting,
      meaning: 'More than 1 % of the requests to the API were answered with a 5xx.',
      section: 'api-errors',
    },
    {
      id: 'ApiLatency',
      metric: api.metricLatency({ period, statistic: Stats.p(99) }),
      limit: { atLeast: slowestAnswer.toMilliseconds() },
      ...lasting,
      meaning: `One in a hundred requests to the API took ${slowestAnswer.toSeconds()} seconds or more.`,
      section: 'api-latency',
    },
  ];
}

/** No endpoint does work that takes longer, cold start included: what is long is left to a queue. */
const slowestAnswer = Duration.seconds(3);

function transcriptionAlarms({ deployment, functions }: Watched): AlarmSpec[] {
  const reconciler = functions.find(({ name }) => name === reconcileWorker.name)?.function;
  if (!reconciler) throw new Error('There is no reconciler to watch.');
  return [
    {
      id: 'TranscribeBusy',
      metric: serviceMetric(deployment, 'TranscribeBusy', Stats.SUM, { period: Duration.minutes(15) }),
      limit: { atLeast: 1 },
      periods: 2,
      meaning: 'For half an hour Transcribe has put off jobs: its throttle or its limit of jobs is used up.',
      section: 'transcribe-busy',
    },
    {
      id: 'JobsHealed',
      metric: serviceMetric(deployment, 'JobsHealed', Stats.SUM, { period: Duration.hours(1) }),
      limit: { atLeast: 3 },
      meaning: 'The reconciler healed three or more transcriptions in an hour: messages or events get lost.',
      section: 'jobs-healed',
    },
    {
      id: 'JobsGivenUp',
      metric: serviceMetric(deployment, 'JobsGivenUp', Stats.SUM),
      limit: { atLeast: 1 },
      meaning: 'A transcription was failed because it did not end in time.',
      section: 'jobs-given-up',
    },
    {
      id: 'ReconcilerMissing',
      metric: reconciler.metricInvocations({ period: Duration.minutes(10) }),
      limit: { below: 1 },
      withoutData: 'alarming', // it runs every two minutes, whatever else happens
      meaning: 'The reconciler has not run for ten minutes: nothing that is lost is healed.',
      section: 'reconciler-missing',
    },
  ];
}

function queueAlarms({ queues }: Watched): (name: QueueName) => AlarmSpec[] {
  return (name) => {
    const { queue, deadLetterQueue } = queues[name];
    const worker = queueWorkers.find((each) => each.queue === name);
    if (!worker) throw new Error(`No worker reads the queue ${name}.`);
    const often = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };
    return [
      {
        id: `${name}-DeadLetters`,
        metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible(often),
        limit: { atLeast: 1 },
        meaning: `The dead-letter queue of ${name} is not empty: ${worker.name} failed five times, or could not read it.`,
        section: 'dead-letters',
      },
      {
        id: `${name}-Age`,
        metric: queue.metricApproximateAgeOfOldestMessage(often),
        limit: { atLeast: worker.oldestMessage.toSeconds() },
        meaning: `A message has waited in ${name} for ${worker.oldestMessage.toMinutes()} minutes: ${worker.name} does not keep up.`,
        section: 'old-messages',
      },
    ];
  };
}

function ruleAlarms({ rules }: Watched): AlarmSpec[] {
  return rules.map((rule) => ({
    id: `${rule.node.id}-FailedInvocations`,
    metric: failedInvocations(rule),
    limit: { atLeast: 1 },
    meaning: `EventBridge could not deliver what ${rule.node.id} sends.`,
    section: 'failed-invocations',
  }));
}

function functionAlarms({ name, function: target, timeout }: ServiceFunction): AlarmSpec[] {
  return [
    {
      id: `${name}-Errors`,
      metric: percentage(target.metricErrors({ period }), target.metricInvocations({ period })),
      limit: { above: 1 }, // percent
      ...lasting,
      meaning: `More than 1 % of the runs of ${name} crashed or ran out of time.`,
      section: 'function-errors',
    },
    {
      id: `${name}-Throttles`,
      metric: target.metricThrottles({ period }),
      limit: { atLeast: 1 },
      meaning: `Lambda refused to run ${name}: the account's concurrency is used up.`,
      section: 'function-throttles',
    },
    {
      id: `${name}-Duration`,
      metric: target.metricDuration({ period, statistic: Stats.p(99) }),
      limit: { above: timeout.toMilliseconds() * 0.8 },
      ...lasting,
      meaning: `One in a hundred runs of ${name} takes more than 80 % of the ${timeout.toSeconds()} seconds that it has.`,
      section: 'function-duration',
    },
  ];
}

/** The SDK tries again after each: this many in five minutes are no passing fault. */
const systemErrors = 5;
/** One a second, which is more than the taking of turns in one busy room. */
const transactionConflicts = 300;

function tableAlarms(watched: Watched): AlarmSpec[] {
  return tableNames.flatMap((name): AlarmSpec[] => [
    {
      id: `${name}-SystemErrors`,
      metric: ofOperations(name, watched, 'SystemErrors'),
      limit: { atLeast: systemErrors },
      ...lasting,
      meaning: `DynamoDB fails by itself at the table ${name}.`,
      section: 'table-errors',
    },
    {
      id: `${name}-ThrottledRequests`,
      metric: ofOperations(name, watched, 'ThrottledRequests'),
      limit: { atLeast: 1 },
      ...lasting,
      meaning: `DynamoDB throttles the table ${name} or one of its indexes.`,
      section: 'table-throttles',
    },
    {
      id: `${name}-TransactionConflicts`,
      metric: tableMetric(watched.tables[name], 'TransactionConflict'),
      limit: { atLeast: transactionConflicts },
      periods: 3,
      meaning: `For a quarter of an hour more than one write a second to ${name} lost to another.`,
      section: 'transaction-conflicts',
    },
  ]);
}
