import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/stages.ts';
import { at, listOf, type Resource, refersTo, stackOf, statementsOf, statementsOfRole } from '../support/templates.ts';

const platformPrincipals = ['arn:aws:iam::210987654321:role/media-server'];
const isDataKey = ({ path }: Resource) => path.includes('/EncryptionKey/');

test('the tables, buckets and queues of a stage have keys of AWS by default', () => {
  for (const stage of stageNames) {
    expect(stageConfig(stage, () => undefined).customerManagedKey).toBe(false);
    const stack = stackOf(stage);
    expect(stack.all('AWS::KMS::Key').filter(isDataKey)).toEqual([]);
    for (const { properties } of stack.all('AWS::DynamoDB::Table'))
      expect(properties).not.toHaveProperty('SSESpecification');
    for (const { properties } of stack.all('AWS::SQS::Queue')) expect(properties.SqsManagedSseEnabled).toBe(true);
  }
});

test('customerManagedKey is true or false', () => {
  const read = (value: string) =>
    stageConfig('prod', (key) => (key === 'customerManagedKey' ? value : undefined)).customerManagedKey;
  expect(read('true')).toBe(true);
  expect(read('false')).toBe(false);
  expect(() => read('alias/aws/s3')).toThrow('-c customerManagedKey must be true or false, not "alias/aws/s3".');
});

describe.each(stageNames)('with a key of the account, %s', (stage) => {
  const stack = stackOf(stage, { config: { customerManagedKey: true, platformPrincipals } });
  const [key, ...others] = stack.all('AWS::KMS::Key').filter(isDataKey);
  if (!key || others.length > 0) throw new Error('Expected exactly one key.');
  const keyArn = { 'Fn::GetAtt': [key.id, 'Arn'] };

  test('has a key that rotates and is kept as long as the data', () => {
    expect(key.properties).toMatchObject({ EnableKeyRotation: true, PendingWindowInDays: 30 });
    expect(key.deletionPolicy).toBe(stage === 'prod' ? 'Retain' : 'Delete');
    expect(stack.outputs.EncryptionKeyArn).toMatchObject({ Value: keyArn });
  });

  test('encrypts every table and every queue with it', () => {
    for (const { properties } of stack.all('AWS::DynamoDB::Table'))
      expect(properties.SSESpecification).toEqual({ KMSMasterKeyId: keyArn, SSEEnabled: true, SSEType: 'KMS' });
    for (const { properties } of stack.all('AWS::SQS::Queue')) expect(properties.KmsMasterKeyId).toEqual(keyArn);
  });

  test('encrypts every bucket with it, except the access log, which S3 delivers only without such a key', () => {
    for (const { path, properties } of stack.all('AWS::S3::Bucket')) {
      const rules = listOf(at(properties.BucketEncryption, 'ServerSideEncryptionConfiguration'));
      const isAccessLog = path.includes('/AccessLogsBucket/');
      expect(rules).toEqual([
        isAccessLog
          ? { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }
          : {
              BucketKeyEnabled: true,
              ServerSideEncryptionByDefault: { KMSMasterKeyID: keyArn, SSEAlgorithm: 'aws:kms' },
            },
      ]);
    }
  });

  test('lets exactly the functions that use data use the key', () => {
    for (const one of stack.all('AWS::Lambda::Function')) {
      const statements = statementsOfRole(stack, stack.referred(one.properties.Role, 'AWS::IAM::Role'));
      const usesData = statements.some(({ actions }) => /(dynamodb|s3|sqs):/.test(String(actions)));
      const usesKey = statements.some(
        ({ actions, resources }) => actions.includes('kms:Decrypt') && refersTo(resources, key.id),
      );
      expect([one.path, usesKey]).toEqual([one.path, usesData]);
    }
    const [linkRole] = stack.all('AWS::IAM::Role').filter(({ path }) => path.includes('TranscriptLinkRole'));
    if (!linkRole) throw new Error('There is no link role.');
    const ofKey = statementsOfRole(stack, linkRole).filter(({ resources }) => refersTo(resources, key.id));
    expect(ofKey.map(({ actions }) => actions)).toEqual([['kms:Decrypt']]);
  });

  test("lets EventBridge deliver Transcribe's events, and platforms of other accounts send", () => {
    const [account, ...granted] = statementsOf(key.properties.KeyPolicy);
    expect(account).toMatchObject({ effect: 'Allow', actions: ['kms:*'] });
    const platforms = granted.filter(({ principal }) => at(principal, 'AWS') === platformPrincipals[0]);
    expect(platforms.map(({ actions }) => actions)).toEqual([['kms:Decrypt', 'kms:GenerateDataKey']]);
    const others = granted.filter((statement) => !platforms.includes(statement));
    expect(new Set(others.map(({ principal }) => JSON.stringify(principal)))).toEqual(
      new Set(['{"Service":"events.amazonaws.com"}']),
    );
    for (const { actions } of others)
      expect(actions).toEqual(expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey*']));
  });
});
