import { Stack } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { transcriptPrefixes } from '../../shared/names.ts';
import type { ServiceResources } from './service-resources.ts';

type TranscriptLinkRoleProps = Pick<ServiceResources, 'buckets' | 'encryptionKey'> & { readonly signer: Role };

/**
 * The role that signs download links. Only the function that creates links may assume it, and it can only read transcripts.
 * It is a part of that function's stack, and its construct id there is the same in every stage: docs/operations/leaked-link-or-token.md
 * finds it by this id.
 */
export class TranscriptLinkRole extends Role {
  constructor(scope: Construct, { signer, buckets, encryptionKey }: TranscriptLinkRoleProps) {
    super(Stack.of(scope), 'TranscriptLinkRole', {
      description: 'Signs download links: reads transcripts, for at most an hour at a time',
      assumedBy: new ArnPrincipal(signer.roleArn),
    });
    this.addToPolicy(
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: Object.values(transcriptPrefixes).map((prefix) => buckets.transcripts.arnForObjects(`${prefix}*`)),
      }),
    );
    if (encryptionKey === undefined) return;
    this.addToPolicy(new PolicyStatement({ actions: ['kms:Decrypt'], resources: [encryptionKey.keyArn] }));
  }
}
