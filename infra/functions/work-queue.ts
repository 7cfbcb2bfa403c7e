import { Aws, Duration, Stack, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueName } from '#shared/runtime/names.ts';
import type { Batch } from './workers.ts';

const maxReceiveCount = 5;

/** A queue's name, and the timeout and the batches of the function that reads it. */
type WorkQueueProps = {
  readonly name: QueueName;
  readonly timeout: Duration;
  /** Time for which a received message is hidden. Default: six times the timeout, and the batching window. */
  readonly hiddenFor?: Duration | undefined;
  readonly batch: Batch;
  /** The key that encrypts the messages. Default: a key of SQS. */
  readonly encryptionKey: IKey | undefined;
};

/** A standard queue and its dead-letter queue, which keeps messages that failed five times for two weeks. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { name, timeout, hiddenFor, batch, encryptionKey }: WorkQueueProps) {
    super(scope, id);
    const encryption = encryptionKey
      ? { encryption: QueueEncryption.KMS, encryptionMasterKey: encryptionKey }
      : { encryption: QueueEncryption.SQS_MANAGED };
    const shared = { ...encryption, enforceSSL: true };
    // The two queues name each other, which CloudFormation allows only if one of them has a name that is known before.
    const queueName = `${Aws.STACK_NAME}-${name}`;
    const ownQueue = Queue.fromQueueArn(
      this,
      'Name',
      Stack.of(this).formatArn({ service: 'sqs', resource: queueName }),
    );
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', {
      ...shared,
      retentionPeriod: Duration.days(14),
      redriveAllowPolicy: { redrivePermission: RedrivePermission.BY_QUEUE, sourceQueues: [ownQueue] },
    });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'This is a dead-letter queue. An operator handles its messages.',
    });
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      queueName,
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: at least six times the timeout, and the batching window
      visibilityTimeout: hiddenFor ?? Duration.seconds(timeout.toSeconds() * 6 + batch.windowSeconds),
      retentionPeriod: Duration.days(7),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount },
    });
  }
}
