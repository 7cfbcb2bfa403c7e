import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/** The topic that every alarm notifies. The owner of the e-mail address must confirm it once with the link that AWS sends. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { email }: { readonly email: string | undefined }) {
    super(scope, id);
    const { account, region, partition, stackName } = Stack.of(this);
    this.topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A topic with its own policy loses the default policy, which lets the account publish.
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: {
          StringEquals: { 'aws:SourceAccount': account },
          ArnLike: { 'aws:SourceArn': `arn:${partition}:cloudwatch:${region}:${account}:alarm:${stackName}-*` },
        },
      }),
    );
    if (email === undefined) return;
    this.topic.addSubscription(new EmailSubscription(email));
    Validations.of(this.topic).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason:
        'An e-mail that was not delivered has no use later: CloudWatch keeps the state and the history of every alarm.',
    });
  }
}
