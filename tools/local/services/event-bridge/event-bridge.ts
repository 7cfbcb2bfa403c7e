import { type BusRule, busName, defaultBus, type EventBus } from '#tools/local/events/event-bus.ts';
import { host } from '#tools/local/ports.ts';
import { arn, type Deployment } from '#tools/local/template/physical-names.ts';
import { type Operation, type RunningServer, serveAwsJson } from '../aws-json.ts';
import { parsedOperation } from '../parsed-operation.ts';
import { pageOf } from '../queues-and-buckets/pages.ts';
import { ServiceError } from '../service-error.ts';
import { ListBuses, OneBus, PutEvents } from './event-requests.ts';
import { ruleOperations } from './event-rules.ts';
import { putEvents } from './put-events.ts';
import type { RuleStore } from './rule-store.ts';

/** The port of EventBridge, its buses and rules, and the log. */
export type EventBridgeOptions = {
  readonly port: number;
  readonly deployment: Pick<Deployment, 'region' | 'accountId'>;
  /** The names of the stack's buses. The bus `default` exists, too. */
  readonly busNames: readonly string[];
  /** The rules of the stack, which programs can read and not change. */
  readonly stackRules: readonly BusRule[];
  readonly store: RuleStore;
  readonly bus: EventBus;
  readonly log: (event: unknown) => void;
};

// A request has at most 1 MB of entries, in which JSON escapes every quote.
const largestBodyBytes = 4 * 1024 * 1024;

/**
 * Serves events of programs, and rules that send them to queues, as EventBridge does.
 * https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_Operations.html
 */
export async function startEventBridge(options: EventBridgeOptions): Promise<RunningServer> {
  const { port, log } = options;
  const byTarget = new Map(Object.entries(operationsOf(options)).map(([name, run]) => [`AWSEvents.${name}`, run]));
  return serveAwsJson(byTarget, { host, port, largestBodyBytes, log: (event, facts) => log({ event, ...facts }) });
}

function operationsOf({ deployment, bus, stackRules, store, log, ...options }: EventBridgeOptions) {
  const busNames = [defaultBus, ...options.busNames];
  const busOf = (nameOrArn: string): string => {
    const name = busName(nameOrArn);
    if (busNames.includes(name)) return name;
    throw new ServiceError('ResourceNotFoundException', `Event bus ${name} does not exist.`);
  };
  const described = (name: string) => ({ Name: name, Arn: arn(deployment, 'events', `event-bus/${name}`) });
  const operations: Record<string, Operation> = {
    PutEvents: parsedOperation('ValidationException', PutEvents, ({ Entries }) =>
      putEvents(Entries, { ...deployment, busNames, emit: bus.emit, onFailure: log }),
    ),
    DescribeEventBus: parsedOperation('ValidationException', OneBus, async ({ Name }) => described(busOf(Name))),
    ListEventBuses: parsedOperation('ValidationException', ListBuses, async ({ NamePrefix, ...page }) => {
      const found = busNames.filter((name) => name.startsWith(NamePrefix));
      const { items, NextToken } = pageOf(found, page);
      return { EventBuses: items.map(described), NextToken };
    }),
    ...ruleOperations({ deployment, stackRules, store, busOf }),
  };
  return operations;
}
