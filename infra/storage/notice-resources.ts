import { Aws, type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { ServiceResources } from './service-resources.ts';

type NoticeResourcesProps = { readonly removalPolicy: RemovalPolicy; readonly encryptionKey: IKey | undefined };

/**
 * The bus on which notices are put, and the secret of the stage from which those of webhooks are derived. One secret serves all, because
 * Secrets Manager bills each.
 */
export function createNoticeResources(
  scope: Construct,
  { removalPolicy, encryptionKey }: NoticeResourcesProps,
): Pick<ServiceResources, 'eventBus' | 'webhookSecret'> {
  // An imported key keeps its policy. CDK would add statements to that of a created one: for Secrets Manager, which needs none, and for
  // the bus, on a condition that DescribeKey never meets. infra/storage/encryption-key.ts has the statement for the bus.
  const key = encryptionKey && Key.fromKeyArn(scope, 'NoticeKey', encryptionKey.keyArn);
  const eventBus = new EventBus(scope, 'NoticeBus', {
    eventBusName: `${Aws.STACK_NAME}-notices`, // rules of customers name it
    description: 'Notices of this deployment, for rules of your own',
    ...(key && { kmsKey: key }),
  });
  // Its id has no "Secret": the validator takes a parameter with such a name for a password, and this one is only an ARN.
  const webhookSecret = new Secret(scope, 'WebhookSigning', {
    description: 'The secrets of webhooks are derived from it. A new value ends all of them.',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    ...(key && { encryptionKey: key }),
    removalPolicy,
  });
  Validations.of(webhookSecret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'A rotation would end the secrets of all webhooks at once. Those are rotated one by one.',
  });
  return { eventBus, webhookSecret };
}
