import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

const maxReceiveCount = 5;

/** A standard queue and its dead-letter queue. A message that fails five times waits there for two weeks. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  /** `consumerTimeout` is that of the function that reads the queue; a message stays hidden for six times as long. */
  constructor(scope: Construct, id: string, { consumerTimeout }: { readonly consumerTimeout: Duration }) {
    super(scope, id);
    const shared = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', { ...shared, retentionPeriod: Duration.days(14) });
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is a dead-letter queue: what is in it waits for a person.',
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
