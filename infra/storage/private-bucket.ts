import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CorsRule,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY } from 'aws-cdk-lib/cx-api';
import { Construct } from 'constructs';

/** Settings of a bucket. */
export type PrivateBucketProps = {
  /** With any policy except RETAIN the bucket is also emptied, because S3 deletes only empty buckets. */
  readonly removalPolicy: RemovalPolicy;
  /** Bucket in which S3 logs each request to this bucket. */
  readonly accessLogs?: Bucket;
  /** Age at which objects are deleted. Default: they are kept. */
  readonly expiration?: Duration;
  /** Ages at which the objects below a prefix are deleted, by prefix. They also end what `expiration` would keep longer. */
  readonly prefixExpirations?: Readonly<Record<string, Duration>>;
  /** Time for which an object that was overwritten or deleted is kept as an old version. Default: it is lost at once. */
  readonly oldVersionsKept?: Duration;
  /** Which pages of browsers may fetch objects by signed links. Default: none. */
  readonly cors?: readonly CorsRule[];
  /** The key that encrypts the objects. Default: a key of S3. */
  readonly encryptionKey?: IKey | undefined;
};

/** A bucket for one kind of file: no public access, TLS only, encrypted, abandoned uploads removed. */
export class PrivateBucket extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, props: PrivateBucketProps) {
    super(scope, id);
    const { removalPolicy, accessLogs, expiration, oldVersionsKept, cors = [], encryptionKey } = props;
    const prefixes = Object.entries(props.prefixExpirations ?? {});
    // Without this setting CDK grants the log delivery by an access control list, which BUCKET_OWNER_ENFORCED disables.
    this.node.setContext(S3_SERVER_ACCESS_LOGS_USE_BUCKET_POLICY, true);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      ...(encryptionKey === undefined
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }), // one request to KMS for many objects
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      versioned: oldVersionsKept !== undefined,
      ...(cors.length > 0 && { cors: [...cors] }),
      lifecycleRules: [
        { abortIncompleteMultipartUploadAfter: Duration.days(1) },
        ...(expiration === undefined ? [] : [{ expiration }]),
        ...prefixes.map(([prefix, age]) => ({ prefix, expiration: age })),
        ...(oldVersionsKept === undefined
          ? []
          : [{ noncurrentVersionExpiration: oldVersionsKept, expiredObjectDeleteMarker: true }]),
      ],
      // CDK's class does not match its own interface under exactOptionalPropertyTypes, because of `isWebsite`.
      ...(accessLogs && { serverAccessLogsBucket: accessLogs as IBucket }),
      removalPolicy,
      autoDeleteObjects: removalPolicy === RemovalPolicy.DESTROY,
    });
  }
}
