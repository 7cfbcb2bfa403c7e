import path from 'node:path';
import { ArnFormat, type Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type Conditions, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  type Alias,
  Architecture,
  type IFunction,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Access } from '#shared/runtime/access.ts';
import {
  type BucketName,
  connectionSecretPrefix,
  envNames,
  type TableName,
  transcriptPrefixes,
} from '#shared/runtime/names.ts';
import { functionCode } from '../bundling/bundling.ts';
import type { StageConfig } from '../settings/stages.ts';
import { keyActions } from '../storage/encryption-key.ts';
import { RecordingLinkRole } from '../storage/recording-link-role.ts';
import type { ServiceResources } from '../storage/service-resources.ts';
import { TranscriptLinkRole } from '../storage/transcript-link-role.ts';
import { usualMemoryMb } from './function-memory.ts';
import { ServiceLogs } from './service-logs.ts';
import { settingsEnvironment } from './settings-environment.ts';

/** Settings of a function. All other settings are the same for every function. */
export type ServiceFunctionProps = {
  /** Path of the function's folder below `functions/`. */
  readonly folder: string;
  readonly description: string;
  readonly access: Access;
  readonly timeout: Duration;
  /** In megabytes. `usualMemoryMb` by default. */
  readonly memorySize?: number | undefined;
  readonly environment?: Record<string, string>;
  /** Allows the function to send to the queue that invokes it. Otherwise Lambda stops it after about 16 rounds. */
  readonly mayLoop?: boolean;
  readonly resources: ServiceResources;
  readonly config: StageConfig;
};

/**
 * A function with the defaults of this service: Node 24 on arm64, bundled for a fast start, with a log group and a role of its
 * own. Its `access` determines its permissions and the environment variables with the names of its resources.
 */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  /** The alias that all callers use. It points to the deployed version, or to the old and the new one during a canary. */
  readonly live: Alias & IFunction;
  /** The name of the function's folder. */
  readonly name: string;
  /** The name of the stage's stack. */
  readonly deployment: string;
  /** Whether the function serves an endpoint of the API. */
  readonly isEndpoint: boolean;
  /** Whether the API invokes the function: as an endpoint or as the authorizer. */
  readonly isBehindApi: boolean;
  readonly access: Access;
  readonly timeout: Duration;
  readonly memorySize: number;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { access, resources, config, folder, timeout, memorySize = usualMemoryMb } = props;
    this.name = path.posix.basename(folder);
    this.deployment = resources.deployment;
    this.isEndpoint = folder.startsWith('api/');
    this.isBehindApi = !folder.startsWith('workers/');
    this.access = access;
    this.timeout = timeout;
    this.memorySize = memorySize;
    this.logGroup = new ServiceLogs(this, 'Logs', config);
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    const reserved = config.reservedConcurrency[this.name];
    this.function = new LambdaFunction(this, 'Function', {
      code: functionCode(folder),
      handler: 'index.handler',
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize,
      timeout,
      role,
      logGroup: this.logGroup,
      tracing: config.tracing ? Tracing.ACTIVE : Tracing.DISABLED,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      ...(props.mayLoop && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: {
        ...accessEnvironment(access, resources),
        ...settingsEnvironment(access, config),
        [envNames.logLevel]: config.logLevel,
        [envNames.serviceName]: resources.deployment,
        ...props.environment,
      },
      // Old versions let an operator point the alias back. CloudFormation and CodeDeploy do not need them after an update.
      currentVersionOptions: { removalPolicy: versionRemovalPolicy(config) },
    });
    this.live = this.function.addAlias(liveAlias) as Alias & IFunction; // CDK's own types differ on `role`
    grantAccess(this.function, access, resources);
    if (access.signsTranscriptLinks) {
      const linkRole = TranscriptLinkRole.for(this, { signer: role, ...resources });
      this.function.addEnvironment(envNames.transcriptLinkRoleArn, linkRole.roleArn);
    }
    if (access.linksToRecordings && config.recordingLinks) {
      const linkRole = new RecordingLinkRole(this, 'RecordingLinkRole', { signer: role, ...resources });
      this.function.addEnvironment(envNames.recordingLinkRoleArn, linkRole.roleArn);
      this.function.addEnvironment(envNames.recordingsBucket, resources.buckets.recordings.bucketName);
    }
    acknowledgeFindings(this, access, config);
  }
}

/** The one alias of every function. */
export const liveAlias = 'live';

/** With RETAIN, the version of a failed deployment would remain, and the next deployment would fail because it exists. */
function versionRemovalPolicy({ removalPolicy }: StageConfig): RemovalPolicy {
  return removalPolicy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : removalPolicy;
}

function acknowledgeFindings(scope: ServiceFunction, access: Access, { tracing }: StageConfig): void {
  const { transcribe } = access;
  const acknowledge = (id: string, reason: string) => Validations.of(scope).acknowledge({ id, reason });
  acknowledge(
    'Serverless-LambdaDLQ',
    'Nothing is lost: callers of the API get an error, queues have dead-letter queues, and the schedule repeats.',
  );
  if (!tracing) {
    acknowledge(
      'Serverless-LambdaTracing',
      'Off unless the stage turns it on: the logs follow a call by its id, and AWS charges for each trace.',
    );
  }
  const withoutResource = [
    ...(transcribe?.includes('StartTranscriptionJob') ? ['StartTranscriptionJob: the job does not exist yet'] : []),
    ...(tracing ? ["X-Ray's two actions: a trace has no name before it exists"] : []),
  ];
  if (withoutResource.length > 0) {
    acknowledge('AwsSolutions-IAM5[Resource::*]', `These actions take no resource. ${withoutResource.join('; ')}.`);
  }
}

function accessEnvironment(access: Access, resources: ServiceResources): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of tablesOf(access)) environment[envNames[`${name}Table`]] = resources.tables[name].tableName;
  for (const name of keysOf(access.buckets))
    environment[envNames[`${name}Bucket`]] = resources.buckets[name].bucketName;
  for (const name of access.sendsTo ?? [])
    environment[envNames[`${name}Queue`]] = resources.queues[name].queue.queueUrl;
  if (access.readsConnectionSecrets) environment[envNames.connectionSecretPrefix] = connectionSecretPrefix(resources);
  if (access.transcribe) environment[envNames.jobNamePrefix] = resources.jobNamePrefix;
  if (access.putsEvents) environment[envNames.eventBusName] = resources.eventBus.eventBusName;
  if (access.derivesWebhookSecrets) environment[envNames.webhookSecretId] = resources.webhookSecret.secretArn;
  if (access.signsTranscriptLinks) environment[envNames.transcriptsBucket] = resources.buckets.transcripts.bucketName;
  return environment;
}

function grantAccess(grantee: LambdaFunction, access: Access, resources: ServiceResources): void {
  const allow: Allow = (actions, arns, conditions = {}) =>
    grantee.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: [...arns], conditions }));

  for (const name of tablesOf(access)) allowTable(allow, name, access, resources);
  for (const name of keysOf(access.buckets)) allowBucket(allow, name, access, resources);
  for (const name of access.sendsTo ?? []) allow(['sqs:SendMessage'], [resources.queues[name].queue.queueArn]);
  if (resources.encryptionKey && usesStoredData(access)) allow(keyActions, [resources.encryptionKey.keyArn]);
  if (access.readsConnectionSecrets)
    allow(['secretsmanager:GetSecretValue'], [connectionSecrets(Stack.of(grantee), resources)]);
  if (access.putsEvents) allow(['events:PutEvents'], [resources.eventBus.eventBusArn]);
  if (access.derivesWebhookSecrets) allow(['secretsmanager:GetSecretValue'], [resources.webhookSecret.secretArn]);
  if (access.transcribe) allowTranscribe(allow, access.transcribe, Stack.of(grantee), resources);
}

/** The ARNs of the secrets of all connections. Commands of operators create them. */
function connectionSecrets(stack: Stack, resources: ServiceResources): string {
  const resourceName = `${connectionSecretPrefix(resources)}*`;
  return stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

type Allow = (actions: readonly string[], resources: readonly string[], conditions?: Conditions) => void;

function allowTable(allow: Allow, name: TableName, access: Access, { tables }: ServiceResources): void {
  const { tableArn } = tables[name];
  const itemActions = access.tables?.[name] ?? [];
  const indexes = access.queries?.[name] ?? [];
  if (itemActions.length > 0) {
    allow(
      itemActions.map((action) => `dynamodb:${action}`),
      [tableArn],
    );
  }
  if (indexes.length > 0) {
    allow(
      ['dynamodb:Query'],
      indexes.map((index) => `${tableArn}/index/${index}`),
    );
  }
}

function allowBucket(allow: Allow, name: BucketName, access: Access, { buckets }: ServiceResources): void {
  const bucket = buckets[name];
  const allowed = actionsByPattern(name, access);
  for (const [list, granted] of Map.groupBy(allowed, ([, actions]) => actions.join())) {
    const actions = list.split(',').filter((action) => action !== 'ListBucket');
    if (actions.length > 0)
      allow(
        actions.map((action) => `s3:${action}`),
        granted.map(([pattern]) => bucket.arnForObjects(pattern)),
      );
  }
  const listed = allowed.filter(([, actions]) => actions.includes('ListBucket')).map(([pattern]) => pattern);
  if (listed.length === 0) return;
  // Whoever may not list a bucket gets a 403 for a missing object. A read has no prefix, so a condition would refuse it too.
  const isLimited = !listed.includes('*') && !allowed.some(([, actions]) => actions.includes('GetObject'));
  allow(['s3:ListBucket'], [bucket.bucketArn], isLimited ? { StringLike: { 's3:prefix': listed } } : {});
}

/** What a function may do in a bucket, by pattern of the keys. */
function actionsByPattern(name: BucketName, { buckets }: Access): (readonly [pattern: string, readonly string[]])[] {
  if (name !== 'transcripts') return [['*', buckets?.[name] ?? []]];
  const byPrefix = buckets?.[name] ?? {};
  return keysOf(byPrefix).map((prefix) => [`${transcriptPrefixes[prefix]}*`, byPrefix[prefix] ?? []]);
}

function allowTranscribe(
  allow: Allow,
  actions: readonly string[],
  stack: Stack,
  { jobNamePrefix, buckets }: ServiceResources,
): void {
  const onJobs = actions.filter((action) => action !== 'StartTranscriptionJob');
  const jobs = stack.formatArn({
    service: 'transcribe',
    resource: 'transcription-job',
    resourceName: `${jobNamePrefix}.*`,
  });
  if (onJobs.length > 0)
    allow(
      onJobs.map((action) => `transcribe:${action}`),
      [jobs],
    );
  // IAM offers no resource for StartTranscriptionJob, because the job does not exist yet.
  if (!actions.includes('StartTranscriptionJob')) return;
  allow(['transcribe:StartTranscriptionJob'], ['*']);
  allow(['s3:PutObject'], [buckets.transcripts.arnForObjects(transcribeCheckFile)]);
}

/** An empty file with which Transcribe tests its access. It may write it to the bucket's root or beside the output. */
const transcribeCheckFile = '.write_access_check_file.temp';

/** Workers without other access read a queue, and the event source grants them what they need for it. */
function usesStoredData({ tables, queries, buckets, sendsTo, ...access }: Access): boolean {
  const { readsConnectionSecrets, derivesWebhookSecrets } = access;
  return [tables, queries, buckets, sendsTo, readsConnectionSecrets, derivesWebhookSecrets].some(
    (used) => used !== undefined,
  );
}

function tablesOf(access: Access): TableName[] {
  return [...new Set([...keysOf(access.tables), ...keysOf(access.queries)])];
}

function keysOf<Name extends string>(record: { readonly [name in Name]?: unknown } | undefined): Name[] {
  return Object.keys(record ?? {}) as Name[];
}
