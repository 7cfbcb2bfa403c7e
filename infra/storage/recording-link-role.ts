import { ArnPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { ServiceResources } from './service-resources.ts';

type RecordingLinkRoleProps = Pick<ServiceResources, 'buckets' | 'encryptionKey'> & { readonly signer: Role };

/**
 * The role that signs links to recordings, in a stage that allows them. Only the function that signs may assume it, and it can only read
 * recordings. It may list them so that S3 answers 404, and not 403, for a file that does not exist.
 */
export class RecordingLinkRole extends Role {
  constructor(scope: Construct, id: string, { signer, buckets, encryptionKey }: RecordingLinkRoleProps) {
    super(scope, id, {
      description: 'Signs links to recordings: reads recordings, for at most an hour at a time',
      assumedBy: new ArnPrincipal(signer.roleArn),
    });
    const allow = (action: string, resource: string) =>
      this.addToPolicy(new PolicyStatement({ actions: [action], resources: [resource] }));
    allow('s3:GetObject', buckets.recordings.arnForObjects('*'));
    allow('s3:ListBucket', buckets.recordings.bucketArn);
    if (encryptionKey) allow('kms:Decrypt', encryptionKey.keyArn);
    this.grantAssumeRole(signer);
  }
}
