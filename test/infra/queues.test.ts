import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/stages.ts';
import { at, listOf, type Resource, refersTo, stackOf, statementsOf } from '../support/templates.ts';

const days = 24 * 60 * 60;

describe.each(stageNames)('the queues of %s', (stage) => {
  const stack = stackOf(stage);
  const queues = stack.all('AWS::SQS::Queue');
  const deadLetterQueueOf = ({ properties }: Resource) =>
    stack.referred(at(properties.RedrivePolicy, 'deadLetterTargetArn'), 'AWS::SQS::Queue');
  const working = queues.filter(({ properties }) => properties.RedrivePolicy !== undefined);
  const deadLetterQueues = new Set(working.map((queue) => deadLetterQueueOf(queue).id));
  const mappings = stack.all('AWS::Lambda::EventSourceMapping');
  const sourceOf = ({ properties }: Resource) => stack.referred(properties.EventSourceArn, 'AWS::SQS::Queue');

  test('have each a dead-letter queue of their own, or are one', () => {
    expect(queues.length).toBe(working.length + deadLetterQueues.size);
    expect(deadLetterQueues.size).toBe(working.length);
    for (const { id } of queues)
      expect(deadLetterQueues.has(id) !== working.some((queue) => queue.id === id)).toBe(true);
  });

  test('try a message five times, and then keep it for two weeks', () => {
    for (const queue of working) {
      expect(at(queue.properties.RedrivePolicy, 'maxReceiveCount')).toBe(5);
      expect(deadLetterQueueOf(queue).properties.MessageRetentionPeriod).toBe(14 * days);
      expect(queue.properties.MessageRetentionPeriod).toBe(7 * days); // less than there: its time goes on counting
    }
  });

  test('are encrypted, and standard', () => {
    for (const { properties } of queues) {
      expect(properties.SqsManagedSseEnabled === true || properties.KmsMasterKeyId !== undefined).toBe(true);
      expect(properties).not.toHaveProperty('FifoQueue');
    }
  });

  test('are spoken to over TLS alone', () => {
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

  test('are each worked by one function, but the dead-letter queues by none', () => {
    expect(mappings.map((mapping) => sourceOf(mapping).id).sort()).toEqual(working.map(({ id }) => id).sort());
  });

  test('report what failed of a batch, and have a ceiling on how many run at once', () => {
    for (const { properties } of mappings) {
      expect(properties).toMatchObject({
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: expect.toSatisfy((count: number) => count >= 2 && count <= 1000) },
        BatchSize: expect.toSatisfy((size: number) => size >= 1 && size <= 10),
      });
    }
  });

  test('hide a message for six times as long as its function may run, and the batching window', () => {
    for (const mapping of mappings) {
      const { properties } = stack.called(mapping.properties.FunctionName);
      const window = Number(mapping.properties.MaximumBatchingWindowInSeconds ?? 0);
      expect(sourceOf(mapping).properties.VisibilityTimeout).toBe(Number(properties.Timeout) * 6 + window);
    }
  });
});

describe.each(stageNames)('the events of %s', (stage) => {
  const stack = stackOf(stage);
  const rules = stack.all('AWS::Events::Rule');
  const patterns = rules.filter(({ properties }) => properties.EventPattern !== undefined);

  test('are those of the jobs of this deployment, at their end', () => {
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

  test('go to a queue that takes them from this rule, and to a dead-letter queue where it does not', () => {
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

  test('that got lost are looked for on a schedule, by one function', () => {
    const schedules = rules.filter(({ properties }) => properties.ScheduleExpression !== undefined);
    expect(schedules.map(({ properties }) => properties.ScheduleExpression)).toEqual([
      expect.stringMatching(/^rate\(\d+ minutes?\)$/),
    ]);
    for (const { properties } of schedules) {
      expect(stack.called(properties.Targets).path).toContain('reconcile-transcriptions');
      expect(properties.State).toBe('ENABLED');
    }
  });
});
