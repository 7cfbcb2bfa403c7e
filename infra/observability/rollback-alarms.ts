import { Stack } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../constructs/service-function.ts';
import type { AlarmSpec } from './alarm-spec.ts';
import { crashesOfNewVersion, errorsOfNewVersion, percentage, rolloutPeriod, total } from './metrics.ts';
import type { Watched } from './watched.ts';

/** Failures in two minutes of five: in time for the shortest canary, and one stray failure takes nothing back. */
const soon = { periods: 5, breaches: 2 };

/** Crashes, and what the code itself logs as an error: a defect is answered with 500, or left in its queue, and is no crash. */
export function newVersionFails(target: ServiceFunction): AlarmSpec {
  const { name } = target;
  return {
    id: `${name}-Rollback`,
    metric: total(
      { crashes: crashesOfNewVersion(target), errors: errorsOfNewVersion(target) },
      { period: rolloutPeriod },
    ),
    limit: { atLeast: 1 },
    ...soon,
    meaning: `The version of ${name} that was deployed last fails; a deployment that is under way is taken back.`,
    section: 'rollback',
    rollsBack: [target],
    stack: Stack.of(target), // the deployment group names the alarm, and the alarm names the version
  };
}

/** For everything that answers a call of the API: what the functions do not notice, their clients do. */
export function apiFailsAtOnce({ api, functions }: Watched): AlarmSpec {
  const sum = { period: rolloutPeriod, statistic: Stats.SUM };
  return {
    id: 'ApiRollback',
    metric: percentage(api.metricServerError(sum), api.metricCount(sum)),
    limit: { above: 1 }, // percent
    ...soon,
    meaning:
      'More than 1 % of the requests of a minute were answered with a 5xx; a deployment under way is taken back.',
    section: 'rollback',
    rollsBack: functions.filter(({ isBehindApi }) => isBehindApi),
  };
}
