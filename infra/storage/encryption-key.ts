import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { StageConfig } from '../settings/stages.ts';

/** What a function does with the key when it reads and writes encrypted items, files and messages. */
export const keyActions = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
] as const;

/** What a sender of encrypted messages and files does with the key. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html */
const senderActions = ['kms:Decrypt', 'kms:GenerateDataKey'];

/** The key of a stage: one that the stack creates, one that exists, or `undefined` if keys of AWS encrypt everything. */
export function encryptionKeyOf(scope: Construct, id: string, config: KeyConfig): IKey | undefined {
  const { customerManagedKey } = config;
  if (customerManagedKey === false) return undefined;
  return customerManagedKey === true
    ? new EncryptionKey(scope, id, config)
    : Key.fromKeyArn(scope, id, customerManagedKey);
}

type KeyConfig = Pick<StageConfig, 'customerManagedKey' | 'platformPrincipals'>;

/**
 * A customer-managed key for the tables, buckets, queues, event bus and secret of a stage. It rotates. It remains if a deployment leaves it out,
 * in every stage: what it encrypted cannot be read without it.
 */
class EncryptionKey extends Key {
  constructor(scope: Construct, id: string, { platformPrincipals }: KeyConfig) {
    super(scope, id, {
      description: `Encrypts the tables, buckets, queues, event bus and secret of ${Stack.of(scope).stackName}`,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    // For the bus. CDK allows it the other actions, for the queue of Transcribe's events.
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-encryption-key-policy.html
    const eventBridge = [new ServicePrincipal('events.amazonaws.com')];
    this.addToResourcePolicy(
      new PolicyStatement({ principals: eventBridge, actions: ['kms:DescribeKey'], resources: ['*'] }), // this key
    );
    if (platformPrincipals.length === 0) return;
    const principals = platformPrincipals.map((arn) => new ArnPrincipal(arn));
    this.addToResourcePolicy(new PolicyStatement({ principals, actions: senderActions, resources: ['*'] })); // this key
  }
}
