import { Stack } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../functions/service-function.ts';
import type { AlarmSpec } from './alarm-spec.ts';
import { crashesOfNewVersion, errorsOfNewVersion, percentage, rolloutPeriod, total } from './metrics.ts';
import type { MonitoredResources } from './monitored-resources.ts';

/** Two of five minutes: early enough for the shortest canary, and one stray failure does not roll back a deployment. */
const soon = { periods: 5, breaches: 2 };

/** The alarm on crashes and logged errors of a new version. A defect that ends in a 500 or a retry is logged but does not count as a crash. */
export function newVersionFails(target: ServiceFunction): AlarmSpec {
  const { name } = target;
  return {
    id: `${name}-Rollback`,
    severity: 'routine',
    metric: total(
      { crashes: crashesOfNewVersion(target), errors: errorsOfNewVersion(target) },
      { period: rolloutPeriod },
    ),
    limit: { atLeast: 1 },
    ...soon,
    meaning: `The version of ${name} that was deployed last fails. A deployment in progress is rolled back.`,
    section: 'rollback',
    rollsBack: [target],
    stack: Stack.of(target), // the deployment group names the alarm, and the alarm names the version
  };
}

/** The alarm on 5xx answers, for every function behind the API: it covers failures that functions do not log. */
export function apiFailsAtOnce({ api, functions }: MonitoredResources): AlarmSpec {
  const sum = { period: rolloutPeriod, statistic: Stats.SUM };
  return {
    id: 'ApiRollback',
    severity: 'routine',
    metric: percentage(api.metricServerError(sum), api.metricCount(sum)),
    limit: { above: 1 }, // percent
    ...soon,
    meaning: 'More than 1 % of the requests of a minute got a 5xx answer. A deployment in progress is rolled back.',
    section: 'rollback',
    rollsBack: functions.filter(({ isBehindApi }) => isBehindApi),
  };
}
