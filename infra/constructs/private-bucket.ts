import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';

/** What differs from bucket to bucket. */
export type PrivateBucketProps = {
  /** Anything but to retain it also empties it, as S3 deletes no bucket that holds something. */
  readonly removalPolicy: RemovalPolicy;
  /** Where S3 writes down each request to this bucket. */
  readonly accessLogs?: Bucket;
  /** After how long everything in it goes. */
  readonly expiration?: Duration;
};

/** A bucket for one kind of file: no public access, TLS only, encrypted, abandoned uploads removed. */
export class PrivateBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { removalPolicy, accessLogs, expiration }: PrivateBucketProps) {
    super(scope, id);
    // Without it CDK lets the logs in by an access control list, which no bucket has whose objects are all its owner's.
    this.node.setContext(S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY, true);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...(expiration === undefined ? [] : [{ expiration }]),
      ],
      // CDK's own class fails its interface under exactOptionalPropertyTypes, by `isWebsite`.
      ...(accessLogs && { serverAccessLogsBucket: accessLogs as IBucket }),
      removalPolicy,
      autoDeleteObjects: removalPolicy === RemovalPolicy.DESTROY,
    });
  }
}
