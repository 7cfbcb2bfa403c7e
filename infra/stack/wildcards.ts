import { Stack, Validations } from 'aws-cdk-lib';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { connectionSecretPrefix, transcriptPrefixes } from '#shared/runtime/names.ts';
import type { ServiceResources } from '../storage/service-resources.ts';

/**
 * Gives the rule packs the reasons for wildcards in policies: the names that they cover exist only at run time. The ids are
 * those of the findings of the rule AwsSolutions-IAM5.
 */
export function acknowledgeWildcards(stack: Stack, resources: ServiceResources): void {
  const { buckets, jobNamePrefix } = resources;
  const acknowledge = (resource: string, reason: string) =>
    Validations.of(stack).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });

  acknowledge(
    objectsOf(buckets.recordings),
    'The platform chooses the names of recordings, so they are known only at run time.',
  );
  for (const prefix of Object.values(transcriptPrefixes)) {
    acknowledge(
      objectsOf(buckets.transcripts, prefix),
      'The key of a transcript, of a part or of a webhook contains an id that is created at run time.',
    );
  }
  acknowledge(
    `arn:<AWS::Partition>:transcribe:<AWS::Region>:<AWS::AccountId>:transcription-job/${jobNamePrefix}.*`,
    'The name of a job contains the id of its transcription. The prefix excludes jobs of other deployments.',
  );
  acknowledge(
    `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${connectionSecretPrefix(resources)}*`,
    'The name of a secret contains the id of its connection. The prefix excludes the secrets of others.',
  );
}

function objectsOf(bucket: Bucket, prefix = ''): string {
  return `<${Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/${prefix}*`;
}
