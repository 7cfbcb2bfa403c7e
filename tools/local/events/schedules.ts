import { randomUUID } from 'node:crypto';
import { accountId, region } from '../../shared/client-settings.ts';
import { UserError } from '../../shared/user-error.ts';
import { arn } from '../template/physical-names.ts';
import type { Resource } from '../template/stack.ts';
import type { BusEvent } from './event-bus.ts';

/** Invokes the functions of the stack's scheduled rules, first after one interval. Returns what stops that. */
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

/** What EventBridge sends a function when a rule's time has come. */
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

/** The milliseconds of `rate(5 minutes)`; other schedules are an error. */
export function intervalMs(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const milliseconds = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
  if (!Number.isFinite(milliseconds)) {
    throw new UserError(`tools/local knows schedules such as rate(5 minutes), not ${expression}.`);
  }
  return milliseconds;
}
