import { accountId, region } from '../shared/client-settings.ts';
import { RunnerProblem } from '../shared/problem.ts';
import { allOrNothing, type Ground } from './ground.ts';
import type { ServiceUrls } from './lambda/functions.ts';
import { host } from './ports.ts';
import { requireDynamoDb, startDynamoDb } from './services/dynamodb-process.ts';
import { type Issuer, issuerUrl, startIssuer } from './services/issuer.ts';
import { createBuckets, createQueues, startQueuesAndBuckets } from './services/queues-and-buckets.ts';
import { startSts } from './services/sts.ts';
import { createTables } from './services/tables.ts';
import { readStack, type Stack } from './template/stack.ts';
import { synthesize } from './template/synthesize.ts';

/** The synthesized stack, its stores and its issuer; what is left is to run its functions. */
export type StandIns = { readonly stack: Stack; readonly urls: ServiceUrls; readonly issuer: Issuer };

/** Synthesizes the stack, starts what stands in for AWS, and creates the stack's tables, queues and buckets there. */
export async function startStandIns(ground: Ground): Promise<StandIns> {
  const { options, data, ports, stops } = ground;
  const { fresh = false, signal, onProgress } = options;
  if (options.dynamodbUrl !== undefined) await requireDynamoDb(options.dynamodbUrl);
  onProgress?.('Synthesizing the stack with CDK');
  const [assembly, dynamodb, sqsAndS3] = await allOrNothing([
    synthesize({
      outputFolder: data.assembly,
      context: { issuer: issuerUrl(ports.issuer), ...options.context },
      signal,
    }),
    startDynamoDbUnlessGiven(ground),
    startSqsAndS3(ground),
  ]);
  signal?.throwIfAborted();

  onProgress?.('Creating tables, queues and buckets');
  const apiUrl = `http://${host}:${ports.api}`;
  const stack = readStack(assembly, { stackName: assembly.stackName, region, accountId, apiUrl, sqsUrl: sqsAndS3 });
  const [issuer, sts] = await allOrNothing([
    stops.keep(startIssuer({ port: ports.issuer, keyFile: data.issuerKey, audience: audienceOf(stack) })),
    stops.keep(startSts({ port: ports.sts, roleArns: stack.roleArns })),
    createTables(dynamodb, stack.tables, { fresh }),
    createQueues(sqsAndS3, stack.queues),
    createBuckets(sqsAndS3, stack.buckets),
  ]);
  const transcribe = `http://${host}:${ports.transcribe}`;
  return { stack, issuer, urls: { dynamodb, sqs: sqsAndS3, s3: sqsAndS3, sts: sts.url, transcribe } };
}

async function startDynamoDbUnlessGiven({ options, data, ports, stops }: Ground): Promise<string> {
  if (options.dynamodbUrl !== undefined) return options.dynamodbUrl;
  return (await stops.keep(startDynamoDb(data.dynamodb, ports.dynamodb))).url;
}

async function startSqsAndS3({ data, ports, stops }: Ground): Promise<string> {
  const folders = { queueFolder: data.queues, objectFolder: data.objects };
  return (await stops.keep(startQueuesAndBuckets({ port: ports.aws, ...folders }))).url;
}

/** The tokens of the local issuer are for the API's first audience. */
function audienceOf({ routes }: Stack): string {
  const audience = routes.find(({ authorizer }) => authorizer)?.authorizer?.audience[0];
  if (audience === undefined) throw new RunnerProblem('No route of the stack has a JWT authorizer with an audience.');
  return audience;
}
