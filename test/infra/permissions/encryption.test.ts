import { afterEach, describe, expect, test, vi } from 'vitest';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { blocksOf } from '../../support/docs/documents.ts';
import {
  at,
  listOf,
  type Resource,
  refersTo,
  type SynthesizedStack,
  stackOf,
  statementsOf,
  statementsOfRole,
} from '../../support/infra/templates.ts';

const platformPrincipals = ['arn:aws:iam::210987654321:role/media-server'];
const existingKey = 'arn:aws:kms:eu-west-1:123456789012:key/0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10';
afterEach(() => vi.unstubAllEnvs());

const isDataKey = ({ path }: Resource) => path.includes('/EncryptionKey/');

test('the tables, buckets and queues of a stage have keys of AWS by default', () => {
  for (const stage of stageNames) {
    expect(stageConfig(stage, () => undefined).customerManagedKey).toBe(false);
    const stack = stackOf(stage);
    expect(stack.all('AWS::KMS::Key').filter(isDataKey)).toEqual([]);
    for (const { properties } of stack.all('AWS::DynamoDB::Table'))
      expect(properties).not.toHaveProperty('SSESpecification');
    for (const { properties } of stack.all('AWS::SQS::Queue')) expect(properties.SqsManagedSseEnabled).toBe(true);
    for (const { properties } of stack.all('AWS::Events::EventBus'))
      expect(properties).not.toHaveProperty('KmsKeyIdentifier');
    for (const { properties } of stack.all('AWS::SecretsManager::Secret'))
      expect(properties).not.toHaveProperty('KmsKeyId');
  }
});

test('customerManagedKey is true, false or the ARN of a key', () => {
  const read = (value: string) =>
    stageConfig('prod', (key) => (key === 'customerManagedKey' ? value : undefined)).customerManagedKey;
  expect(read('true')).toBe(true);
  expect(read('false')).toBe(false);
  expect(read(existingKey)).toBe(existingKey);
  const sharedByRegions = 'arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/mrk-0d3cf4c26a0f4c558d679f2f5f3f3a10';
  expect(read(sharedByRegions)).toBe(sharedByRegions);
  const others = [
    '',
    'yes',
    'alias/aws/s3',
    'arn:aws:kms:eu-west-1:123456789012:alias/ours',
    existingKey.slice(0, -36),
  ];
  for (const value of [...others, `${existingKey.slice(0, -36)}None`])
    expect(() => read(value)).toThrow(
      `-c customerManagedKey must be true, false or the ARN of a KMS key, not "${value}".`,
    );
});

test('the ARN of a key or certificate must be in the region of the deployment, if the CDK knows it', () => {
  const given: Readonly<Record<string, string>> = {
    customerManagedKey: existingKey,
    domainName: 'api.example.com',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0d3cf4c2',
  };
  const read = () => stageConfig('prod', (key) => given[key]);
  vi.stubEnv('CDK_DEFAULT_REGION', undefined);
  expect(read().customerManagedKey).toBe(existingKey);
  vi.stubEnv('CDK_DEFAULT_REGION', 'eu-west-1');
  expect(read().customerManagedKey).toBe(existingKey);
  vi.stubEnv('CDK_DEFAULT_REGION', 'us-east-1');
  expect(read).toThrow(
    [
      '-c certificateArn is in eu-west-1, and the stack in us-east-1: give the ARN of one in the same region.',
      '-c customerManagedKey is in eu-west-1, and the stack in us-east-1: give the ARN of one in the same region.',
    ].join('\n'),
  );
  expect(stageConfig('prod', () => undefined).customerManagedKey).toBe(false);
});

/** The only key of a stage that creates one. */
function createdKey(stack: SynthesizedStack): Resource {
  const [key, ...others] = stack.all('AWS::KMS::Key').filter(isDataKey);
  if (!key || others.length > 0) throw new Error('Expected exactly one key.');
  return key;
}

const keys = ([true, existingKey] as const).flatMap((customerManagedKey) =>
  stageNames.map((stage) => ({ stage, customerManagedKey })),
);

describe.each(keys)('with customerManagedKey=$customerManagedKey, $stage', ({ stage, customerManagedKey }) => {
  const stack = stackOf(stage, { config: { customerManagedKey, platformPrincipals } });
  const isCreated = customerManagedKey === true;
  const keyArn = isCreated ? { 'Fn::GetAtt': [createdKey(stack).id, 'Arn'] } : existingKey;
  const isKey = (resources: readonly unknown[]) =>
    isCreated ? refersTo(resources, createdKey(stack).id) : resources.includes(existingKey);

  test('has the ARN of the key as an output', () => {
    expect(stack.outputs.EncryptionKeyArn).toMatchObject({ Value: keyArn });
  });

  test('creates a key only if it is not given one', () => {
    expect(stack.all('AWS::KMS::Key').filter(isDataKey)).toHaveLength(isCreated ? 1 : 0);
  });

  test('encrypts every table and every queue with it', () => {
    for (const { properties } of stack.all('AWS::DynamoDB::Table'))
      expect(properties.SSESpecification).toEqual({ KMSMasterKeyId: keyArn, SSEEnabled: true, SSEType: 'KMS' });
    for (const { properties } of stack.all('AWS::SQS::Queue')) expect(properties.KmsMasterKeyId).toEqual(keyArn);
  });

  test('encrypts the event bus and the secret of webhooks with it', () => {
    for (const { properties } of stack.all('AWS::Events::EventBus'))
      expect(properties.KmsKeyIdentifier).toEqual(keyArn);
    for (const { properties } of stack.all('AWS::SecretsManager::Secret')) expect(properties.KmsKeyId).toEqual(keyArn);
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
      const usesData = statements.some(({ actions }) => /(dynamodb|s3|sqs|secretsmanager):/.test(String(actions)));
      const usesKey = statements.some(({ actions, resources }) => actions.includes('kms:Decrypt') && isKey(resources));
      expect([one.path, usesKey]).toEqual([one.path, usesData]);
    }
    const [linkRole] = stack.all('AWS::IAM::Role').filter(({ path }) => path.includes('TranscriptLinkRole'));
    if (!linkRole) throw new Error('There is no link role.');
    const ofKey = statementsOfRole(stack, linkRole).filter(({ resources }) => isKey(resources));
    expect(ofKey.map(({ actions }) => actions)).toEqual([['kms:Decrypt']]);
  });
});

describe.each(stageNames)('the key that %s creates', (stage) => {
  const key = createdKey(stackOf(stage, { config: { customerManagedKey: true, platformPrincipals } }));

  test('rotates, and remains if a deployment forgets it or the stack is deleted', () => {
    expect(key.properties).toMatchObject({ EnableKeyRotation: true });
    expect([key.deletionPolicy, key.updateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });

  test('has exactly the policy that an existing key needs', () => {
    const [documented = ''] = blocksOf('docs/operations.md', 'json');
    const ofAccount = {
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }, ':root']],
    };
    const expected: unknown = JSON.parse(documented, (_, value: unknown) =>
      value === 'arn:aws:iam::123456789012:root' ? ofAccount : value,
    );
    const inAnyOrder = (document: unknown) => new Set(statementsOf(document).map((each) => JSON.stringify(each)));
    expect(inAnyOrder(key.properties.KeyPolicy)).toEqual(inAnyOrder({ Statement: expected }));
  });
});
