import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { UserError } from '#tools/shared/user-error.ts';
import type { Resource } from '../template/stack.ts';
import { assertKnownPattern, type JsonObject, matches } from './pattern.ts';

/** The bus of AWS's own events, and of rules that name no bus. */
export const defaultBus = 'default';

/** An event in the envelope of EventBridge. */
export type BusEvent = { readonly source: string; readonly 'detail-type': string; readonly detail: object };

/** Where a rule sends its events, and where they go if that fails. */
export type BusTarget = {
  readonly Id: string;
  readonly Arn: string;
  readonly DeadLetterConfig?: { readonly Arn: string } | undefined;
};

/** A rule that is enabled, of one bus. */
export type BusRule = {
  readonly name: string;
  readonly bus: string;
  readonly pattern: JsonObject;
  readonly targets: readonly BusTarget[];
};

/** Delivers events to the targets of matching rules of a bus. */
export type EventBus = { readonly emit: (event: BusEvent, bus?: string) => Promise<void> };

/** The rules, and how to reach their targets. */
export type EventBusOptions = {
  /** The rules of the stack. Their targets are queues and functions. */
  readonly rules: readonly BusRule[];
  /** The rules that programs have made since. */
  readonly ownRules?: () => readonly BusRule[];
  readonly sqs: SQSClient;
  readonly queueUrl: (queueArn: string) => string;
  readonly invoke: (functionArn: string, event: BusEvent) => Promise<void>;
  /** Receives the failures of targets of own rules. They fail nothing else. */
  readonly onFailure: (event: unknown) => void;
};

/** The stack's rules with a pattern that are enabled. Throws a UserError if one cannot run locally. */
export function busRules(rules: readonly Resource<'AWS::Events::Rule'>[]): BusRule[] {
  return rules.flatMap(({ logicalId, name, properties: { EventBusName = defaultBus, ...properties } }) => {
    const { EventPattern: pattern, State, Targets: targets } = properties;
    if (!pattern || State !== 'ENABLED') return [];
    assertKnownPattern(pattern, `The rule ${logicalId}`);
    for (const target of targets) serviceOf(target.Arn);
    return [{ name, bus: busName(EventBusName), pattern, targets }];
  });
}

/** The name of a bus, by its name or ARN. */
export function busName(nameOrArn: string): string {
  return nameOrArn.split('/').at(-1) ?? nameOrArn;
}

/** Creates the buses. If a target fails, the event goes to its dead-letter queue. */
export function createEventBus({ rules, ownRules, sqs, queueUrl, invoke, onFailure }: EventBusOptions): EventBus {
  const send = async (queueArn: string, event: BusEvent) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queueArn), MessageBody: JSON.stringify(event) }));
  };
  const deliver = async ({ Arn, DeadLetterConfig }: BusTarget, event: BusEvent) => {
    try {
      await (serviceOf(Arn) === 'sqs' ? send(Arn, event) : invoke(Arn, event));
    } catch (error) {
      if (!DeadLetterConfig) throw error;
      await send(DeadLetterConfig.Arn, event);
    }
  };
  const deliverOwn = async (rule: BusRule, target: BusTarget, event: BusEvent) => {
    await deliver(target, event).catch((error: Error) =>
      onFailure({ event: 'rule_target_failed', rule: rule.name, target: target.Arn, error: error.name }),
    );
  };
  return {
    emit: async (event, bus = defaultBus) => {
      const matching = (all: readonly BusRule[]) =>
        all.filter((rule) => rule.bus === bus && matches(rule.pattern, event));
      await Promise.all([
        ...matching(rules).flatMap(({ targets }) => targets.map((target) => deliver(target, event))),
        ...matching(ownRules?.() ?? []).flatMap((rule) =>
          rule.targets.map((target) => deliverOwn(rule, target, event)),
        ),
      ]);
    },
  };
}

function serviceOf(targetArn: string): 'sqs' | 'lambda' {
  const service = targetArn.split(':')[2];
  if (service !== 'sqs' && service !== 'lambda') {
    throw new UserError(
      `A rule has the target ${targetArn}. The local runner sends events to queues and functions only.`,
    );
  }
  return service;
}
