import { randomUUID } from 'node:crypto';
import { accountId, region } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { arn } from '../template/physical-names.ts';
import type { Resource } from '../template/stack.ts';
import type { BusEvent } from './event-bus.ts';

/** Invokes the functions of the stack's scheduled rules, first after one interval. Returns a function that stops it. */
export function startSchedules(
  rules: readonly Resource<'AWS::Events::Rule'>[],
  invoke: (functionArn: string, event: BusEvent) => Promise<void>,
  onFailure: (error: unknown) => void,
): () => void {
  const scheduled = rules.flatMap(({ name, properties: { ScheduleExpression, State, Targets } }) =>
    ScheduleExpression !== undefined && State === 'ENABLED'
      ? [{ name, intervalMs: intervalMs(ScheduleExpression), targets: Targets }]
      : [],
  );
  const timers = scheduled.map(({ name, intervalMs, targets }) =>
    setInterval(() => {
      for (const { Arn } of targets) invoke(Arn, scheduledEvent(name)).catch(onFailure);
    }, intervalMs),
  );
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** The event that EventBridge sends for a scheduled rule. */
function scheduledEvent(ruleName: string) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: accountId,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region,
    resources: [arn({ region, accountId }, 'events', `rule/${ruleName}`)],
    detail: {},
  };
}

const unitMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The interval of `rate(5 minutes)` in milliseconds. Throws a UserError for other schedules. */
export function intervalMs(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const milliseconds = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  if (!Number.isFinite(milliseconds)) {
    throw new UserError(`The local runner supports schedules such as rate(5 minutes), not ${expression}.`);
  }
  return milliseconds;
}
