import { outputNames } from '#infra/stack/outputs.ts';
import { accountId, region } from '../shared/client-settings.ts';
import { UserError } from '../shared/user-error.ts';
import type { ServiceUrls } from './lambda/functions.ts';
import { host } from './ports.ts';
import { allOrNothing, type RunnerContext, stopAtShutdown } from './runner-context.ts';
import { requireDynamoDb, startDynamoDb } from './services/dynamodb/dynamodb-process.ts';
import { createTables } from './services/dynamodb/tables.ts';
import {
  createQueues,
  type QueuesAndBuckets,
  startQueuesAndBuckets,
} from './services/queues-and-buckets/queues-and-buckets.ts';
import { startSecretsManager } from './services/secrets/secrets-manager.ts';
import { type Issuer, type IssuerOptions, startIssuer } from './services/tokens/issuer.ts';
import { startSts } from './services/tokens/sts.ts';
import { readStack, type Stack } from './template/stack.ts';
import { type Assembly, readAssembly, synthesize } from './template/synthesize.ts';

/** A century either way, so that demos, imports and tests may use fixed dates. */
const anyEventTime = { eventDaysAhead: '36500', eventDaysBack: '36500' } as const;

/** A developer's own receivers run on this machine, and have no certificate. */
const ownReceivers = { webhookReceivers: 'this-machine' } as const;

/** Recordings are on this machine anyway. */
const ownRecordings = { recordingLinks: 'true' } as const;

/** The synthesized stack, and the addresses of the local services that replace AWS. */
export type LocalServices = { readonly stack: Stack; readonly urls: ServiceUrls; readonly issuer: Issuer };

/** Synthesizes the stack, starts the local services, and creates the stack's tables, queues and buckets in them. */
export async function startLocalServices(context: RunnerContext): Promise<LocalServices> {
  const { options, data, ports, shutdown } = context;
  const { fresh = false, signal, onProgress } = options;
  if (options.dynamodbUrl !== undefined) await requireDynamoDb(options.dynamodbUrl);
  onProgress?.('Synthesizing the stack with CDK');
  const [assembly, dynamodb, sqsAndS3] = await allOrNothing([
    synthesizeUnlessGiven(context),
    startDynamoDbUnlessGiven(context),
    startSqsAndS3(context),
  ]);
  signal?.throwIfAborted();

  onProgress?.('Creating tables, queues and buckets');
  const apiUrl = options.publicUrl ?? `http://${host}:${ports.numbers.api}`;
  const sqsUrl = sqsAndS3.url;
  const stack = readStack(assembly, { stackName: assembly.stackName, region, accountId, apiUrl, sqsUrl });
  const [issuer, sts, secretsManager] = await allOrNothing([
    stopAtShutdown(
      shutdown,
      ports.startOn('issuer', (port) => startIssuer({ port, ...userPoolsOf(stack, data) })),
    ),
    stopAtShutdown(
      shutdown,
      ports.startOn('sts', (port) => startSts({ port, roleArns: stack.roleArns })),
    ),
    stopAtShutdown(
      shutdown,
      ports.startOn('secretsManager', (port) =>
        startSecretsManager({ port, file: data.secrets, stackSecrets: stack.secrets, log: context.log }),
      ),
    ),
    createTables(dynamodb, stack.tables, { fresh }),
    createQueues(sqsUrl, stack.queues),
    sqsAndS3.createBuckets(stack.buckets, consoleOrigins(context)),
  ]);
  const transcribe = `http://${host}:${ports.numbers.transcribe}`;
  return {
    stack,
    issuer,
    urls: {
      ...{ dynamodb, sqs: sqsUrl, s3: sqsUrl, sts: sts.url, secretsManager: secretsManager.url, transcribe },
      eventbridge: `http://${host}:${ports.numbers.eventBridge}`,
    },
  };
}

async function synthesizeUnlessGiven({ options, data }: RunnerContext): Promise<Assembly> {
  if (options.assembly !== undefined) return readAssembly(options.assembly);
  const settings = { ...anyEventTime, ...ownReceivers, ...ownRecordings, ...options.context };
  return synthesize({ outputFolder: data.assembly, context: settings, signal: options.signal });
}

/** The origins of the console, which fetches files of S3. With a public address, there is no console. */
function consoleOrigins({ options, ports }: RunnerContext): readonly string[] {
  if (options.publicUrl !== undefined) return [];
  return [host, 'localhost'].map((name) => `http://${name}:${ports.numbers.api}`);
}

async function startDynamoDbUnlessGiven({ options, data, ports, shutdown }: RunnerContext): Promise<string> {
  if (options.dynamodbUrl !== undefined) return options.dynamodbUrl;
  const starting = ports.startOn('dynamodb', (port) => startDynamoDb(data.dynamodb, port));
  return (await stopAtShutdown(shutdown, starting)).url;
}

async function startSqsAndS3({ data, ports, shutdown, isDiskFull }: RunnerContext): Promise<QueuesAndBuckets> {
  const folders = { queueFolder: data.queues, objectFolder: data.objects };
  const starting = ports.startOn('aws', (port) => startQueuesAndBuckets({ port, ...folders, isDiskFull }));
  return stopAtShutdown(shutdown, starting);
}

/** The user pools that the local issuer stands for. */
function userPoolsOf({ outputs }: Stack, data: RunnerContext['data']): Omit<IssuerOptions, 'port'> {
  const { [outputNames.userPoolId]: userPoolId, [outputNames.tokenScope]: scope } = outputs;
  const { [outputNames.peoplePoolId]: peoplePoolId, [outputNames.consoleClientId]: clientId } = outputs;
  if (userPoolId === undefined || scope === undefined)
    throw new UserError('The stack has no user pool. The local runner does not support an issuer of your own.');
  const issuerOf = (id: string) => `https://cognito-idp.${region}.amazonaws.com/${id}`;
  const hasPeople = peoplePoolId !== undefined && clientId !== undefined;
  return {
    keyFile: data.issuerKey,
    issuer: issuerOf(userPoolId),
    scope,
    people: hasPeople ? { keyFile: data.peopleKey, issuer: issuerOf(peoplePoolId), scope, clientId } : undefined,
  };
}
