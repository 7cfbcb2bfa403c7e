import { existsSync } from 'node:fs';
import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bucket, CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { BucketDeployment, CacheControl, Source } from 'aws-cdk-lib/aws-s3-deployment';
import { Construct } from 'constructs';
import type { StageConfig } from '../settings/stages.ts';

/** What is put into the bucket of the console's pages. */
export type ConsoleFilesProps = {
  readonly bucket: Bucket;
  /** The folder of the built pages. */
  readonly folder: string;
  /** How people log in. It may have values that are known only when the stack is deployed. */
  readonly signIn: Readonly<Record<string, string>>;
  readonly config: Pick<StageConfig, 'logRetention'>;
};

/**
 * Puts the built pages and their `config.json` into the bucket. Files with a hash in their name come first, and those of earlier
 * deployments stay: a page that is open during a deployment, or still in a cache, finds its files.
 */
export class ConsoleFiles extends Construct {
  constructor(scope: Construct, id: string, { bucket, folder, signIn, config }: ConsoleFilesProps) {
    super(scope, id);
    if (!existsSync(`${folder}/index.html`)) throw new Error(`${folder} has no index.html: it is no built console.`);
    const logGroup = new LogGroup(this, 'Log', {
      retention: config.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // CDK's class does not match its own interface under exactOptionalPropertyTypes, because of `isWebsite`.
    const target = { destinationBucket: bucket as IBucket, prune: false, logGroup };
    const assets = new BucketDeployment(this, 'Assets', {
      ...target,
      sources: [Source.asset(`${folder}/assets`)],
      destinationKeyPrefix: 'console/assets',
      cacheControl: [CacheControl.setPublic(), CacheControl.maxAge(Duration.days(365)), CacheControl.immutable()],
    });
    const page = new BucketDeployment(this, 'Page', {
      ...target,
      sources: [Source.asset(folder, { exclude: ['assets', '.*'] }), Source.jsonData('config.json', signIn)],
      destinationKeyPrefix: 'console',
      cacheControl: [CacheControl.noCache()],
    });
    page.node.addDependency(assets);
    acknowledgeFindings(page, bucket);
  }
}

/** CDK brings the function that copies the files, its role and its runtime. CloudFormation alone calls it. */
function acknowledgeFindings({ handlerRole }: BucketDeployment, bucket: Bucket): void {
  const stack = Stack.of(bucket);
  const assets = `cdk-${stack.synthesizer.bootstrapQualifier}-assets-<AWS::AccountId>-<AWS::Region>`;
  const pages = `<${stack.getLogicalId(bucket.node.defaultChild as CfnBucket)}.Arn>`;
  const permissions =
    'CDK grants its function what it needs to copy any files of the deployment into the bucket of the pages.';
  const runtime = 'CDK chooses the runtime of its own function, and updates it with its releases.';
  const reasons = {
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]':
      'CDK attaches the policy of AWS with which its function writes its log.',
    ...Object.fromEntries(
      [
        ...['GetObject', 'GetBucket', 'List', 'DeleteObject', 'Abort'].map((action) => `Action::s3:${action}*`),
        ...[`arn:<AWS::Partition>:s3:::${assets}`, pages].map((name) => `Resource::${name}/*`),
      ].map((finding) => [`AwsSolutions-IAM5[${finding}]`, permissions]),
    ),
    'AwsSolutions-L1': runtime,
    'Serverless-LambdaLatestVersion': runtime,
    'Serverless-LambdaDLQ':
      'CloudFormation waits for the answer of the function, and fails the deployment if it fails.',
    'Serverless-LambdaTracing': 'The function runs only in deployments, and its log tells what it did.',
  };
  const handler = handlerRole.node.scope ?? handlerRole;
  for (const [id, reason] of Object.entries(reasons)) Validations.of(handler).acknowledge({ id, reason });
}
