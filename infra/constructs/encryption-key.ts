import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

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

type EncryptionKeyProps = {
  readonly removalPolicy: RemovalPolicy;
  /** ARNs of principals of other accounts that send messages and files. */
  readonly platformPrincipals: readonly string[];
};

/** A customer-managed key for the tables, buckets and queues of a stage. It rotates, and it is kept as long as the data. */
export class EncryptionKey extends Key {
  constructor(scope: Construct, id: string, { removalPolicy, platformPrincipals }: EncryptionKeyProps) {
    super(scope, id, {
      description: `Encrypts the tables, buckets and queues of ${Stack.of(scope).stackName}`,
      enableKeyRotation: true,
      pendingWindow: Duration.days(30),
      removalPolicy,
    });
    if (platformPrincipals.length === 0) return;
    const principals = platformPrincipals.map((arn) => new ArnPrincipal(arn));
    this.addToResourcePolicy(new PolicyStatement({ principals, actions: senderActions, resources: ['*'] })); // this key
  }
}
