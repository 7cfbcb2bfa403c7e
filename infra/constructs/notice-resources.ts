import { type RemovalPolicy, Validations } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
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
  const eventBus = new EventBus(scope, 'NoticeBus', {
    description: 'Notices of this deployment, for rules of your own',
    ...(encryptionKey && { kmsKey: encryptionKey }),
  });
  const webhookSecret = new Secret(scope, 'WebhookSecret', {
    description: 'The secrets of webhooks are derived from it. A new value ends all of them.',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    ...(encryptionKey && { encryptionKey }),
    removalPolicy,
  });
  Validations.of(webhookSecret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'A rotation would end the secrets of all webhooks at once. Those are rotated one by one.',
  });
  return { eventBus, webhookSecret };
}
