import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

const maxReceiveCount = 5;

/** A standard queue and its dead-letter queue, which keeps messages that failed five times for two weeks. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  /** `consumerTimeout` is the timeout of the function that reads the queue. The visibility timeout is six times as long. */
  constructor(scope: Construct, id: string, { consumerTimeout }: { readonly consumerTimeout: Duration }) {
    super(scope, id);
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', { ...shared, retentionPeriod: Duration.days(14) });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'This is a dead-letter queue. An operator handles its messages.',
    });
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: at least six times the timeout
      visibilityTimeout: Duration.seconds(consumerTimeout.toSeconds() * 6),
      retentionPeriod: Duration.days(7),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount },
    });
  }
}
