import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageConfig } from '../settings/stages.ts';
import type { Severity } from './alarm-spec.ts';

/**
 * One topic for each severity of alarms, encrypted with one key. The owner of an e-mail address must confirm it once for
 * each topic with the link that AWS sends.
 */
export class AlarmTopics extends Construct {
  readonly topics: Readonly<Record<Severity, Topic>>;

  constructor(scope: Construct, id: string, { emails }: { readonly emails: StageConfig['alarmEmails'] }) {
    super(scope, id);
    const key = this.createKey();
    this.topics = {
      urgent: this.createTopic('Urgent', key, emails.urgent),
      routine: this.createTopic('Routine', key, emails.routine),
    };
  }

  /**
   * Without the permissions of CloudWatch, alarms would be silent. https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
   * shows them without a condition, and a condition that CloudWatch does not meet would silence alarms too.
   */
  private createKey(): Key {
    const key = new Key(this, 'Key', {
      description: `Encrypts the alarms of ${Stack.of(this).stackName}`,
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      removalPolicy: RemovalPolicy.DESTROY, // it encrypts messages on their way, and no stored data
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'], // in a key policy: this key
      }),
    );
    return key;
  }

  private createTopic(id: string, masterKey: Key, email: string | undefined): Topic {
    const { account, region, partition, stackName } = Stack.of(this);
    const topic = new Topic(this, id, { enforceSSL: true, masterKey });
    // A topic with its own policy loses the default policy, which lets the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:cloudwatch:${region}:${account}:alarm:${stackName}-*` },
        },
      }),
    );
    if (email === undefined) return topic;
    topic.addSubscription(new EmailSubscription(email));
    Validations.of(topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason:
        'An e-mail that was not delivered has no use later: CloudWatch keeps the state and the history of every alarm.',
    });
    return topic;
  }
}
