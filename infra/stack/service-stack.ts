import { Duration, RemovalPolicy, Stack, type StackProps, Tags, Validations } from 'aws-cdk-lib';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import { clientIdClaim, type QueueName, queueNames, tableNames, transcriptPrefixes } from '#shared/runtime/names.ts';
import { ServiceApi, type ServiceApiProps } from '../api/service-api.ts';
import { TokenIssuer } from '../api/token-issuer.ts';
import { functionFolder } from '../bundling/bundling.ts';
import { HostedConsole } from '../console/hosted-console.ts';
import { PeoplePool } from '../console/people-pool.ts';
import { functionAccess } from '../functions/function-access.ts';
import { FunctionArea } from '../functions/function-area.ts';
import { QueueWorker } from '../functions/queue-worker.ts';
import { ServiceFunction } from '../functions/service-function.ts';
import { StreamWorker } from '../functions/stream-worker.ts';
import { WorkQueue } from '../functions/work-queue.ts';
import { batchOf, queueWorkers, relayWorker, scheduledWorkers } from '../functions/workers.ts';
import { AlarmTopics } from '../observability/alarm-topics.ts';
import { alarmsOf } from '../observability/alarms.ts';
import { CallQuery } from '../observability/call-query.ts';
import { CanaryDeployments } from '../observability/canary-deployments.ts';
import { countLargeHooks } from '../observability/hook-alarms.ts';
import { findMonitoredResources } from '../observability/monitored-resources.ts';
import { ServiceAlarms } from '../observability/service-alarms.ts';
import { ServiceDashboard } from '../observability/service-dashboard.ts';
import { consoleOrigins, fileCorsFor } from '../settings/cors.ts';
import type { StageConfig } from '../settings/stages.ts';
import { limitEmptierLogs } from '../storage/bucket-emptier.ts';
import { encryptionKeyOf } from '../storage/encryption-key.ts';
import { EntityTable } from '../storage/entity-table.ts';
import { createNoticeResources } from '../storage/notice-resources.ts';
import { PrivateBucket, type PrivateBucketProps } from '../storage/private-bucket.ts';
import type { ServiceResources } from '../storage/service-resources.ts';
import { entityTables } from '../storage/tables.ts';
import { describedOutput, resourceOutputs } from './described-outputs.ts';
import { outputNames } from './outputs.ts';
import { alarmsPageUrl } from './runbook.ts';
import { acknowledgeWildcards } from './wildcards.ts';

/** Time after which intermediate files are deleted. No transcription takes so long, and usually they go when it ends. */
const workKept = Duration.days(14);

/** The settings of a stage, and the folder with the built pages of its console, if it has one. */
export type ServiceStackProps = StackProps & {
  readonly config: StageConfig;
  readonly consoleFolder?: string | undefined;
};

/**
 * The stack of a stage (docs/architecture.md#stacks). It contains everything that stores data, the routes of the API, the
 * alarms, the dashboard and all outputs. Each area's functions are in a nested stack.
 */
export class ServiceStack extends Stack {
  readonly #areas = new Map<string, FunctionArea>();

  constructor(scope: Construct, id: string, { config, consoleFolder, ...props }: ServiceStackProps) {
    super(scope, id, {
      description: 'Roomscribe: transcripts and usage insights for video rooms',
      terminationProtection: config.removalPolicy === RemovalPolicy.RETAIN,
      suppressTemplateIndentation: true, // saves almost a third of the bytes that CloudFormation limits
      ...props,
    });

    for (const [key, value] of Object.entries(config.tags)) Tags.of(this).add(key, value);
    const accessLogs = this.createAccessLogs(config);
    const resources = this.createResources(config, accessLogs);
    resourceOutputs(this, resources);
    describedOutput(this, outputNames.eventBusName, resources.eventBus.eventBusName);
    describedOutput(this, outputNames.eventBusArn, resources.eventBus.eventBusArn);
    acknowledgeWildcards(this, resources);
    grantPlatformAccess(resources, config);
    const { people, ...tokens } = this.createAuthorizer(resources, config);
    const api = new ServiceApi(this, 'Api', {
      endpoints: endpointList.map((endpoint) => ({ ...endpoint, access: functionAccess[endpoint.operationId] })),
      selfAuthenticatedEndpoints: selfAuthenticatedEndpointList.map((endpoint) => ({
        ...endpoint,
        access: functionAccess[endpoint.operationId],
      })),
      publicEndpoints: publicEndpointList,
      areaOf: (tag) => this.areaOf(`Api${capitalized(tag)}`),
      ...tokens,
      resources,
      config,
    });
    describedOutput(this, outputNames.apiUrl, api.url);
    if (config.console) {
      if (consoleFolder === undefined) throw new Error('A stage with a console needs the folder of its pages.');
      new HostedConsole(this, 'Console', { api, people, resources, accessLogs, folder: consoleFolder, config });
    }
    limitEmptierLogs(this, config.logRetention); // after the last bucket
    for (const { name, ...worker } of queueWorkers) {
      const access = functionAccess[name];
      new QueueWorker(this.areaOf('Workers'), name, {
        ...worker,
        batch: batchOf(worker, config),
        folder: functionFolder(name),
        access,
        resources,
        config,
      });
    }
    this.routeTranscribeEvents(resources);
    for (const worker of scheduledWorkers) this.scheduleWorker(worker, resources, config);
    new StreamWorker(this.areaOf('Workers'), relayWorker.name, {
      ...relayWorker,
      folder: functionFolder(relayWorker.name),
      access: functionAccess[relayWorker.name],
      table: resources.tables.notices,
      resources,
      config,
    });
    this.monitor(resources, api, config);
  }

  /** Returns the nested stack of an area. Creates it at the first call. */
  private areaOf(id: string): FunctionArea {
    const area = this.#areas.get(id) ?? new FunctionArea(this, id);
    this.#areas.set(id, area);
    return area;
  }

  /** Creates the authorizer for the issuer in the settings, or for new user pools if the settings have none. */
  private createAuthorizer(
    resources: ServiceResources,
    config: StageConfig,
  ): Pick<ServiceApiProps, 'authorizer' | 'organizationClaim'> & { readonly people?: PeoplePool | undefined } {
    if (config.ownIssuer) {
      const { issuer, audience, organizationClaim } = config.ownIssuer;
      return {
        authorizer: new HttpJwtAuthorizer('Authorizer', issuer, { jwtAudience: [audience] }),
        organizationClaim,
      };
    }
    const people = config.console ? new PeoplePool(this, 'People', { config }) : undefined;
    const { userPool, tokenUrl, scope, authorizer } = new TokenIssuer(this, 'Tokens', { resources, config, people });
    describedOutput(this, outputNames.userPoolId, userPool.userPoolId);
    describedOutput(this, outputNames.tokenUrl, tokenUrl);
    describedOutput(this, outputNames.tokenScope, scope);
    if (people) {
      describedOutput(this, outputNames.peoplePoolId, people.userPool.userPoolId);
      describedOutput(this, outputNames.consoleClientId, people.clientId);
    }
    return { authorizer, organizationClaim: clientIdClaim, people };
  }

  private createAccessLogs({ removalPolicy, logRetention }: StageConfig): Bucket {
    const expiration = Duration.days(logRetention);
    return new PrivateBucket(this, 'AccessLogsBucket', { removalPolicy, expiration }).bucket;
  }

  private createResources(config: StageConfig, accessLogs: Bucket): ServiceResources {
    const { removalPolicy } = config;
    const encryptionKey = encryptionKeyOf(this, 'EncryptionKey', config);
    if (encryptionKey) describedOutput(this, outputNames.encryptionKeyArn, encryptionKey.keyArn);
    const queue = (name: QueueName) => {
      const consumer = queueWorkers.find((worker) => worker.queue === name);
      if (!consumer) throw new Error(`No worker reads the queue ${name}: see infra/functions/workers.ts.`);
      const { timeout, hiddenFor } = consumer;
      const batch = batchOf(consumer, config);
      return new WorkQueue(this, `${name}Queue`, { name, timeout, hiddenFor, batch, encryptionKey });
    };
    return {
      tables: mapNames(tableNames, (name) => {
        const id = `${capitalized(name)}Table`;
        return new EntityTable(this, id, { ...entityTables[name], removalPolicy, encryptionKey }).table;
      }),
      buckets: this.createBuckets(config, accessLogs, encryptionKey),
      encryptionKey,
      queues: mapNames(queueNames, queue),
      ...createNoticeResources(this, { removalPolicy, encryptionKey }),
      deployment: this.stackName,
      jobNamePrefix: this.stackName,
    };
  }

  private createBuckets(
    config: StageConfig,
    accessLogs: Bucket,
    encryptionKey: ServiceResources['encryptionKey'],
  ): ServiceResources['buckets'] {
    const { removalPolicy, retentionDays, recordingVersionDays, hookRetentionDays } = config;
    const { bucket: recordings } = new PrivateBucket(this, 'RecordingsBucket', {
      encryptionKey,
      removalPolicy,
      accessLogs,
      ...expirationAfter(retentionDays.recording),
      oldVersionsKept: Duration.days(recordingVersionDays),
    });
    const { bucket: transcripts } = new PrivateBucket(this, 'TranscriptsBucket', {
      encryptionKey,
      cors: fileCorsFor([...config.corsOrigins, ...consoleOrigins(config)]),
      removalPolicy,
      ...expirationAfter(retentionDays.transcript),
      prefixExpirations: {
        [transcriptPrefixes.work]: workKept,
        [transcriptPrefixes.hooks]: Duration.days(hookRetentionDays),
      },
    });
    Validations.of(transcripts).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'S3 logs the query of each request, and with it the signature of a link that may still open a transcript.',
    });
    return { recordings, transcripts };
  }

  /** Sends the events of this stage's jobs to the results queue. The rule filters by name, because the account may run other jobs. */
  private routeTranscribeEvents({ queues, jobNamePrefix }: ServiceResources): void {
    new Rule(this, 'TranscribeJobStateChange', {
      eventPattern: {
        source: ['aws.transcribe'],
        detailType: ['Transcribe Job State Change'],
        detail: {
          TranscriptionJobStatus: ['COMPLETED', 'FAILED'],
          TranscriptionJobName: [{ prefix: `${jobNamePrefix}.` }],
        },
      },
      targets: [
        new SqsQueue(queues.transcriptionResults.queue, {
          deadLetterQueue: queues.transcriptionResults.deadLetterQueue,
        }),
      ],
    });
  }

  private scheduleWorker(
    { name, interval, scheduleId, ...worker }: (typeof scheduledWorkers)[number],
    resources: ServiceResources,
    config: StageConfig,
  ): void {
    const workers = this.areaOf('Workers');
    const { live } = new ServiceFunction(workers, name, {
      ...worker,
      folder: functionFolder(name),
      access: functionAccess[name],
      resources,
      config,
    });
    const schedule = new Rule(workers, scheduleId, {
      schedule: Schedule.rate(interval),
      targets: [new LambdaFunction(live)],
    });
    Validations.of(schedule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'A lost event has no effect: it only starts the function, and the next one follows minutes later.',
    });
  }

  /** Must run after all functions and rules are created: it monitors those that exist. */
  private monitor(
    resources: ServiceResources,
    api: ServiceApi,
    { alarmEmails, canaryMinutes, repository }: StageConfig,
  ): void {
    const { topics } = new AlarmTopics(this, 'AlarmTopics', { emails: alarmEmails });
    const monitored = findMonitoredResources(this, resources, api);
    const alarms = new ServiceAlarms(this, 'Alarms', {
      groups: alarmsOf(monitored, { canaryMinutes }),
      topics,
      pageUrl: alarmsPageUrl(repository),
    });
    if (canaryMinutes !== 0) {
      for (const [stack, functions] of Map.groupBy(monitored.functions, (each) => Stack.of(each)))
        new CanaryDeployments(stack, 'Canary', { minutes: canaryMinutes, functions, alarms });
    }
    countLargeHooks(this, monitored);
    new CallQuery(this, 'CallQuery');
    const { url } = new ServiceDashboard(this, 'Dashboard', { monitored, alarms });
    describedOutput(this, outputNames.alarmTopicArn, topics.routine.topicArn);
    describedOutput(this, outputNames.urgentAlarmTopicArn, topics.urgent.topicArn);
    describedOutput(this, outputNames.dashboardUrl, url);
  }
}

/** Grants platforms of other accounts access to queues and the recordings bucket. A platform of this account needs only a policy of its own. */
function grantPlatformAccess({ buckets, queues }: ServiceResources, { platformPrincipals }: StageConfig): void {
  if (platformPrincipals.length === 0) return;
  const principals = platformPrincipals.map((arn) => new ArnPrincipal(arn));
  const allow = (action: string, resource: string) =>
    new PolicyStatement({ principals, actions: [action], resources: [resource] });
  for (const { queue } of [queues.roomEvents, queues.networkSamples])
    queue.addToResourcePolicy(allow('sqs:SendMessage', queue.queueArn));
  buckets.recordings.addToResourcePolicy(allow('s3:PutObject', buckets.recordings.arnForObjects('*')));
}

function expirationAfter(days: number | undefined): Pick<PrivateBucketProps, 'expiration'> {
  return days === undefined ? {} : { expiration: Duration.days(days) };
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function mapNames<Name extends string, Item>(names: readonly Name[], map: (name: Name) => Item): Record<Name, Item> {
  return Object.fromEntries(names.map((name) => [name, map(name)])) as Record<Name, Item>;
}
