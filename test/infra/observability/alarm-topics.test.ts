import { describe, expect, test } from 'vitest';
import { at, listOf, stackOf, statementsOf } from '../../support/infra/templates.ts';

describe('the alarm topics', () => {
  test('have no subscription if no e-mail address is set', () => {
    const { resources } = stackOf('dev');
    expect(resources.filter(({ type }) => type === 'AWS::SNS::Subscription')).toEqual([]);
    expect(resources.filter(({ type }) => type === 'AWS::SNS::Topic')).toHaveLength(2);
  });

  test('are encrypted with one key of their own, which rotates and which CloudWatch may use', () => {
    const stack = stackOf('prod');
    const [key, ...others] = stack.all('AWS::KMS::Key');
    expect(others).toEqual([]);
    expect(key?.properties.EnableKeyRotation).toBe(true);
    for (const { properties } of stack.all('AWS::SNS::Topic'))
      expect(properties.KmsMasterKeyId).toEqual({ 'Fn::GetAtt': [key?.id, 'Arn'] });
    // Without these two actions CloudWatch cannot publish, and alarms are silent.
    const services = statementsOf(key?.properties.KeyPolicy).filter(({ principal }) => at(principal, 'Service'));
    expect(services).toEqual([
      {
        effect: 'Allow',
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        principal: { Service: 'cloudwatch.amazonaws.com' },
        condition: undefined,
      },
    ]);
  });

  test('accept messages over TLS from the alarms of this account, and from no other source', () => {
    const stack = stackOf('prod');
    const statements = stack
      .all('AWS::SNS::TopicPolicy')
      .flatMap(({ properties }) => statementsOf(properties.PolicyDocument));
    const allowing = statements.filter(({ effect }) => effect === 'Allow');
    expect(allowing).toHaveLength(2);
    for (const statement of allowing) {
      expect(statement).toMatchObject({
        actions: ['sns:Publish'],
        principal: { Service: 'cloudwatch.amazonaws.com' },
        condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      });
      expect(JSON.stringify(listOf(at(statement.condition, 'ArnLike', 'aws:SourceArn')))).toContain(
        `:alarm:${stack.stackName}-*`,
      );
    }
    expect(statements).toContainEqual(
      expect.objectContaining({ effect: 'Deny', condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });
});
