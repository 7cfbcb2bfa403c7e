import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { UserError } from '../../shared/user-error.ts';
import type { Resource } from '../template/stack.ts';
import { assertKnownPattern, matches } from './pattern.ts';

type Rule = Resource<'AWS::Events::Rule'>;
type Target = Rule['properties']['Targets'][number];

/** An event in the envelope of EventBridge. */
export type BusEvent = { readonly source: string; readonly 'detail-type': string; readonly detail: object };

/** Delivers events to the targets of matching rules. */
export type EventBus = { readonly emit: (event: BusEvent) => Promise<void> };

/** The rules, and how to reach their targets. */
export type EventBusOptions = {
  readonly rules: readonly Rule[];
  readonly sqs: SQSClient;
  readonly queueUrl: (queueArn: string) => string;
  readonly invoke: (functionArn: string, event: BusEvent) => Promise<void>;
};

/** Creates a bus with the stack's pattern rules. If a target fails, the event goes to its dead-letter queue. */
export function createEventBus({ rules, sqs, queueUrl, invoke }: EventBusOptions): EventBus {
  const patterned = rules.flatMap(({ logicalId, properties: { EventPattern, State, Targets } }) =>
    EventPattern && State === 'ENABLED' ? [{ logicalId, pattern: EventPattern, targets: Targets }] : [],
  );
  for (const { logicalId, pattern, targets } of patterned) {
    assertKnownPattern(pattern, logicalId);
    for (const target of targets) serviceOf(target.Arn);
  }
  const send = async (queueArn: string, event: BusEvent) => {
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(queueArn), MessageBody: JSON.stringify(event) }));
  };
  const deliver = async ({ Arn, DeadLetterConfig }: Target, event: BusEvent) => {
    try {
      await (serviceOf(Arn) === 'sqs' ? send(Arn, event) : invoke(Arn, event));
    } catch (error) {
      if (!DeadLetterConfig) throw error;
      await send(DeadLetterConfig.Arn, event);
    }
  };
  return {
    emit: async (event) => {
      const targets = patterned.filter(({ pattern }) => matches(pattern, event)).flatMap((rule) => rule.targets);
      await Promise.all(targets.map((target) => deliver(target, event)));
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
