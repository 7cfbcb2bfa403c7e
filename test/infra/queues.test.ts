import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { at, listOf, type Resource, refersTo, stackOf, statementsOf } from '../support/infra/templates.ts';

const days = 24 * 60 * 60;

/** The ARN of the queue with a name that CloudFormation joins from the stack's name and a text. */
function arnOfName(name: unknown): unknown {
  const ofAccount = [
    'arn:',
    { Ref: 'AWS::Partition' },
    ':sqs:',
    { Ref: 'AWS::Region' },
    ':',
    { Ref: 'AWS::AccountId' },
  ];
  const [stackName, ...rest] = listOf(at(name, 'Fn::Join', 1));
  expect(stackName).toEqual({ Ref: 'AWS::StackName' });
  return { 'Fn::Join': ['', [...ofAccount, ':', stackName, ...rest]] };
}

describe.each(stageNames)('the queues of %s', (stage) => {
  const stack = stackOf(stage);
  const queues = stack.all('AWS::SQS::Queue');
  const deadLetterQueueOf = ({ properties }: Resource) =>
    stack.referred(at(properties.RedrivePolicy, 'deadLetterTargetArn'), 'AWS::SQS::Queue');
  const working = queues.filter(({ properties }) => properties.RedrivePolicy !== undefined);
  const deadLetterQueues = new Set(working.map((queue) => deadLetterQueueOf(queue).id));
  const isOfStream = ({ properties }: Resource) => at(properties.EventSourceArn, 'Fn::GetAtt', 1) === 'StreamArn';
  const mappings = stack.all('AWS::Lambda::EventSourceMapping').filter((mapping) => !isOfStream(mapping));
  const sourceOf = ({ properties }: Resource) => stack.referred(properties.EventSourceArn, 'AWS::SQS::Queue');

  test('each have their own dead-letter queue or are one', () => {
    expect(queues.length).toBe(working.length + deadLetterQueues.size);
    expect(deadLetterQueues.size).toBe(working.length);
    for (const { id } of queues)
      expect(deadLetterQueues.has(id) !== working.some((queue) => queue.id === id)).toBe(true);
  });

  test('retry a message five times, then keep it for two weeks in the dead-letter queue', () => {
    for (const queue of working) {
      expect(at(queue.properties.RedrivePolicy, 'maxReceiveCount')).toBe(5);
      expect(deadLetterQueueOf(queue).properties.MessageRetentionPeriod).toBe(14 * days);
      expect(queue.properties.MessageRetentionPeriod).toBe(7 * days); // must be shorter, because the age of a message keeps counting in the dead-letter queue
    }
  });

  test('accept messages as dead letters from their own queue only', () => {
    for (const queue of working) {
      expect(deadLetterQueueOf(queue).properties.RedriveAllowPolicy).toEqual({
        redrivePermission: 'byQueue',
        sourceQueueArns: [arnOfName(queue.properties.QueueName)],
      });
    }
  });

  test('are encrypted standard queues', () => {
    for (const { properties } of queues) {
      expect(properties.SqsManagedSseEnabled === true || properties.KmsMasterKeyId !== undefined).toBe(true);
      expect(properties).not.toHaveProperty('FifoQueue');
    }
  });

  test('accept only TLS connections', () => {
    const policies = stack.all('AWS::SQS::QueuePolicy');
    for (const { id } of queues) {
      const statements = policies
        .filter(({ properties }) => refersTo(properties.Queues, id))
        .flatMap(({ properties }) => statementsOf(properties.PolicyDocument));
      expect(statements).toContainEqual(
        expect.objectContaining({
          effect: 'Deny',
          actions: ['sqs:*'],
          principal: { AWS: '*' },
          condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
    }
  });

  test('are each processed by one function, except for the dead-letter queues', () => {
    expect(mappings.map((mapping) => sourceOf(mapping).id).sort()).toEqual(working.map(({ id }) => id).sort());
  });

  test('report failed items of a batch and limit concurrency', () => {
    for (const { properties } of mappings) {
      expect(properties).toMatchObject({
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: expect.toSatisfy((count: number) => count >= 2 && count <= 1000) },
        BatchSize: expect.toSatisfy((size: number) => size >= 1),
      });
    }
  });

  test('have the batches of the settings for room events, and at most ten messages at once for all others', () => {
    for (const mapping of mappings) {
      const { BatchSize, MaximumBatchingWindowInSeconds } = mapping.properties;
      const batch = { size: Number(BatchSize), windowSeconds: Number(MaximumBatchingWindowInSeconds) };
      if (sourceOf(mapping).path.includes('/roomEventsQueue/')) expect(batch).toEqual({ size: 100, windowSeconds: 1 });
      else expect(batch).toEqual({ size: expect.toSatisfy((size: number) => size <= 10), windowSeconds: 0 });
    }
  });

  test('hide a message for six times the timeout of their function plus the batching window, and for 20 minutes of 15', () => {
    for (const mapping of mappings) {
      const { properties } = stack.called(mapping.properties.FunctionName);
      const window = Number(mapping.properties.MaximumBatchingWindowInSeconds ?? 0);
      const usual = Number(properties.Timeout) * 6 + window;
      expect(sourceOf(mapping).properties.VisibilityTimeout).toBe(properties.Timeout === 900 ? 1200 : usual);
    }
  });
});

describe.each(stageNames)('the events of %s', (stage) => {
  const stack = stackOf(stage);
  const rules = stack.all('AWS::Events::Rule');
  const patterns = rules.filter(({ properties }) => properties.EventPattern !== undefined);

  test('match only jobs of this deployment that completed or failed', () => {
    expect(patterns.map(({ properties }) => properties.EventPattern)).toEqual([
      {
        source: ['aws.transcribe'],
        'detail-type': ['Transcribe Job State Change'],
        detail: {
          TranscriptionJobStatus: ['COMPLETED', 'FAILED'],
          TranscriptionJobName: [{ prefix: `${stack.stackName}.` }],
        },
      },
    ]);
  });

  test('go to a queue that accepts them from this rule only, and to a dead-letter queue if delivery fails', () => {
    for (const rule of patterns) {
      for (const target of listOf(rule.properties.Targets)) {
        const queue = stack.referred(at(target, 'Arn'), 'AWS::SQS::Queue');
        const deadLetterQueue = stack.referred(at(target, 'DeadLetterConfig'), 'AWS::SQS::Queue');
        expect(deadLetterQueue.properties).not.toHaveProperty('RedrivePolicy');
        for (const { id } of [queue, deadLetterQueue]) {
          const sends = stack
            .all('AWS::SQS::QueuePolicy')
            .filter(({ properties }) => refersTo(properties.Queues, id))
            .flatMap(({ properties }) => statementsOf(properties.PolicyDocument))
            .filter(({ actions, principal }) => actions.includes('sqs:SendMessage') && at(principal, 'Service'));
          expect(sends).not.toEqual([]);
          for (const { condition } of sends)
            expect(refersTo(at(condition, 'ArnEquals', 'aws:SourceArn'), rule.id)).toBe(true);
        }
      }
    }
  });

  test('that get lost are found by functions on schedules, and sessions that nobody ended or that have settled by others', () => {
    const schedules = rules.filter(({ properties }) => properties.ScheduleExpression !== undefined);
    const workers = schedules.map(({ properties }) => {
      expect(properties.ScheduleExpression).toMatch(/^rate\(\d+ minutes?\)$/);
      expect(properties.State).toBe('ENABLED');
      return stack.called(properties.Targets).path;
    });
    expect(workers.sort()).toEqual([
      expect.stringContaining('close-idle-sessions'),
      expect.stringContaining('reconcile-transcriptions'),
      expect.stringContaining('settle-sessions'),
      expect.stringContaining('sweep-notices'),
    ]);
  });
});
