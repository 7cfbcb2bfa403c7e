import { Stack, Validations } from 'aws-cdk-lib';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { ServiceResources } from './constructs/service-resources.ts';

/**
 * Tells the rule packs why these wildcards stand in policies: what they cover has no name before the service runs. The
 * finding is spelled as the rule AwsSolutions-IAM5 spells it.
 */
export function acknowledgeWildcards(stack: Stack, { buckets, jobNamePrefix }: ServiceResources): void {
  const acknowledge = (resource: string, reason: string) =>
    Validations.of(stack).acknowledge({ id: `AwsSolutions-IAM5[Resource::${resource}]`, reason });

  acknowledge(objectsOf(buckets.recordings), 'The platform names recordings; each is known only when it is there.');
  acknowledge(objectsOf(buckets.transcripts), 'The key of a transcript holds the id that was made for it at run time.');
  acknowledge(
    `arn:<AWS::Partition>:transcribe:<AWS::Region>:<AWS::AccountId>:transcription-job/${jobNamePrefix}.*`,
    'The name of a job holds the id of its transcription. The prefix keeps jobs of others out of reach.',
  );
}

function objectsOf(bucket: Bucket): string {
  return `<${Stack.of(bucket).getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>/*`;
}
