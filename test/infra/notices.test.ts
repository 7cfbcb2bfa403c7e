import { describe, expect, test } from 'vitest';
import { functionAccess } from '#infra/functions/function-access.ts';
import { stageNames } from '#infra/settings/stages.ts';
import { envNames } from '#shared/runtime/names.ts';
import { at, type Resource, stackOf } from '../support/infra/templates.ts';

describe.each(stageNames)('the stream of notices in %s', (stage) => {
  const stack = stackOf(stage);
  const [mapping, ...others] = stack
    .all('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => at(properties.EventSourceArn, 'Fn::GetAtt', 1) === 'StreamArn');
  if (!mapping) throw new Error('No function reads the stream.');

  test('invokes one function, by its alias', () => {
    expect(others).toEqual([]);
    expect(stack.referred(mapping.properties.EventSourceArn, 'AWS::DynamoDB::Table').path).toContain('/NoticesTable/');
    expect(stack.called(mapping.properties.FunctionName).path).toContain('/relay-notices/');
  });

  test('invokes it with new notices only: its own updates must not invoke it', () => {
    expect(mapping.properties.FilterCriteria).toEqual({
      Filters: [
        {
          Pattern: JSON.stringify({
            eventName: ['INSERT'],
            dynamodb: { NewImage: { dueAt: { S: [{ exists: true }] } } },
          }),
        },
      ],
    });
  });

  test('misses no notice of the first minutes, and none that follows one that fails', () => {
    expect(mapping.properties).toMatchObject({
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 3600,
      MaximumRetryAttempts: 3,
      ParallelizationFactor: 10,
      StartingPosition: 'TRIM_HORIZON',
    });
    expect(mapping.properties).not.toHaveProperty('MaximumBatchingWindowInSeconds'); // a notice does not wait for others
    expect(mapping.properties).not.toHaveProperty('ScalingConfig'); // Lambda has it for SQS alone
  });
});

describe.each(stageNames)('the event bus of %s', (stage) => {
  const stack = stackOf(stage);
  const [bus, ...others] = stack.all('AWS::Events::EventBus');
  if (!bus) throw new Error('There is no event bus.');

  test('is one, with a name that follows from that of the stack, because rules of customers have it', () => {
    expect(others).toEqual([]);
    expect(bus.properties.Name).toEqual({ 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, '-notices']] });
  });

  test('has no rule of the service, so that every event on it is for the customer', () => {
    const ofBus = stack.all('AWS::Events::Rule').filter(({ properties }) => properties.EventBusName !== undefined);
    expect(ofBus).toEqual([]);
  });

  test('has its name and its ARN in outputs', () => {
    expect(stack.outputs.EventBusName).toMatchObject({ Value: { Ref: bus.id } });
    expect(stack.outputs.EventBusArn).toMatchObject({ Value: { 'Fn::GetAtt': [bus.id, 'Arn'] } });
  });
});

describe.each(stageNames)('the functions of notices in %s', (stage) => {
  const functions = stackOf(stage).all('AWS::Lambda::Function');
  const nameOf = ({ path }: Resource) => path.split('/').find((part) => part in functionAccess);
  const having = (variable: string) =>
    functions
      .filter(({ properties }) => at(properties.Environment, 'Variables', variable) !== undefined)
      .map(nameOf)
      .sort();

  test('know the bus and the secret of the stage only if they use them', () => {
    expect(having(envNames.eventBusName)).toEqual(['put-notice-events']);
    const derive = Object.entries(functionAccess).filter(([, access]) => access.derivesWebhookSecrets);
    expect(having(envNames.webhookSecretId)).toEqual(derive.map(([name]) => name).sort());
  });

  /** Those that call webhooks, and those that store their addresses. */
  const callers = ['create-webhook', 'deliver-notices', 'test-webhook', 'update-webhook'];

  test('know which receivers may be called only if they call them or store their addresses', () => {
    const found = having(envNames.webhookReceivers);
    expect(found).toContain('deliver-notices');
    expect(found.filter((name) => !callers.includes(String(name)))).toEqual([]);
  });

  test('that call webhooks may do nothing with transcripts, recordings or events of rooms', () => {
    const { tables = {}, buckets, sendsTo } = functionAccess['deliver-notices'];
    expect(Object.keys(tables).sort()).toEqual(['notices', 'rateLimits', 'webhookDeliveries', 'webhooks']);
    expect([buckets, sendsTo]).toEqual([undefined, ['webhookRuns']]);
  });
});
