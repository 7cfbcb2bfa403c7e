import { Stack } from 'aws-cdk-lib';
import { ArnPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { transcriptPrefixes } from '#shared/runtime/names.ts';
import type { ServiceResources } from './service-resources.ts';

/** The files that links open. Intermediate files are for Transcribe alone. */
const { generated, live } = transcriptPrefixes;

type TranscriptLinkRoleProps = Pick<ServiceResources, 'buckets' | 'encryptionKey'> & { readonly signer: Role };

/** The construct id in every stage. docs/operations/leaked-link-or-token.md finds the role by it. */
const id = 'TranscriptLinkRole';

/**
 * The role that signs download links. Only the functions that sign may assume it, and it can only read transcripts. It is a
 * part of their stack.
 */
export class TranscriptLinkRole extends Role {
  /** Returns the one role of the stack, which `signer` may assume. Creates it at the first call. */
  static for(scope: Construct, props: TranscriptLinkRoleProps): TranscriptLinkRole {
    const found = Stack.of(scope).node.tryFindChild(id) as TranscriptLinkRole | undefined;
    const role = found ?? new TranscriptLinkRole(scope, props);
    if (found) {
      const principals = [new ArnPrincipal(props.signer.roleArn)];
      role.assumeRolePolicy?.addStatements(new PolicyStatement({ actions: ['sts:AssumeRole'], principals }));
    }
    role.grantAssumeRole(props.signer);
    return role;
  }

  private constructor(scope: Construct, { signer, buckets, encryptionKey }: TranscriptLinkRoleProps) {
    super(Stack.of(scope), id, {
      description: 'Signs download links: reads transcripts, for at most an hour at a time',
      assumedBy: new ArnPrincipal(signer.roleArn),
    });
    this.addToPolicy(
      new PolicyStatement({
        actions: ['s3:GetObject'],
        resources: [generated, live].map((prefix) => buckets.transcripts.arnForObjects(`${prefix}*`)),
      }),
    );
    if (encryptionKey === undefined) return;
    this.addToPolicy(new PolicyStatement({ actions: ['kms:Decrypt'], resources: [encryptionKey.keyArn] }));
  }
}
