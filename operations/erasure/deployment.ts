import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { stackName } from '#infra/settings/stages.ts';
import { outputNames } from '#infra/stack/outputs.ts';
import {
  type BucketName,
  bucketNames,
  connectionSecretPrefix,
  type QueueName,
  queueNames,
  type TableName,
  tableNames,
} from '#shared/runtime/names.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { describeOutputs, type Endpoints, readEndpoints } from '#tools/shared/endpoints.ts';
import { UserError } from '#tools/shared/user-error.ts';

/** Clients of the services that store an organization's data. */
export type Stores = {
  readonly documents: DynamoDBDocumentClient;
  readonly s3: S3Client;
  readonly transcribe: TranscribeClient;
  readonly secretsManager: SecretsManagerClient;
  readonly sqs: SQSClient;
};

/** A deployment that commands work on: its clients, the names of its tables, buckets, queues and secrets, and the prefix of its Transcribe jobs. */
export type Deployment = Stores & {
  readonly tables: Readonly<Record<TableName, string>>;
  readonly buckets: Readonly<Record<BucketName, string>>;
  readonly queues: Readonly<Record<QueueName, string>>;
  readonly jobNamePrefix: string;
  readonly connectionSecretPrefix: string;
  /** The key of the stage, if it has its own. It encrypts the secrets of connections. */
  readonly encryptionKeyArn: string | undefined;
  /** The address of the API for platforms and clients. */
  readonly apiUrl: string;
};

/** Transcribe accepts five deletions of jobs per second. In adaptive mode the SDK slows down to that rate. */
const retrySettings = { maxAttempts: 10, retryMode: 'adaptive' } as const;

/** Creates clients for the given endpoints of a running `npm start`, or for AWS if there are none. */
export function openStores(endpoints?: Endpoints): Stores {
  const settings = (url: string | undefined) => ({ ...retrySettings, ...(url !== undefined && clientSettings(url)) });
  return {
    documents: DynamoDBDocumentClient.from(new DynamoDBClient(settings(endpoints?.dynamodbUrl))),
    s3: new S3Client(settings(endpoints?.s3Url)),
    transcribe: new TranscribeClient(settings(endpoints?.transcribeUrl)),
    secretsManager: new SecretsManagerClient(settings(endpoints?.secretsManagerUrl)),
    sqs: new SQSClient(settings(endpoints?.sqsUrl)),
  };
}

/** Returns the deployment of a stage, from the outputs of its stack. Throws a `UserError` if a table, bucket or queue is missing. */
export function deploymentOfStage(stage: string, outputs: ReadonlyMap<string, string>, stores: Stores): Deployment {
  const described = describeOutputs(Object.fromEntries(outputs));
  const apiUrl = outputs.get(outputNames.apiUrl) ?? '';
  const encryptionKeyArn = outputs.get(outputNames.encryptionKeyArn);
  const missing = [
    ...tableNames.filter((name) => !(name in described.tables)).map((name) => `table ${name}`),
    ...bucketNames.filter((name) => !(name in described.buckets)).map((name) => `bucket ${name}`),
    ...queueNames.filter((name) => !(name in described.queues)).map((name) => `queue ${name}`),
  ];
  if (missing.length > 0)
    throw new UserError(`Stack ${stackName(stage)} has no output for ${missing.join(', ')}. Deploy the stage again.`);
  return createDeployment({ ...described, apiUrl, encryptionKeyArn }, stackName(stage), stores);
}

/** Returns the deployment of a running `npm start`, from its data directory. */
export async function deploymentOfRunner(
  dataDir: string,
  openStores: (endpoints: Endpoints) => Stores,
): Promise<Deployment> {
  const endpoints = await readEndpoints(dataDir);
  const described = { ...endpoints, apiUrl: endpoints.publicUrl, encryptionKeyArn: undefined };
  return createDeployment(described, stackName('dev'), openStores(endpoints)); // the local runner always runs stage dev
}

type Described = Pick<Endpoints, 'tables' | 'buckets' | 'queues' | 'apiUrl'> & Pick<Deployment, 'encryptionKeyArn'>;

function createDeployment(
  { tables, buckets, queues, apiUrl, encryptionKeyArn }: Described,
  jobNamePrefix: string,
  stores: Stores,
): Deployment {
  return {
    ...stores,
    // Every stack has an output for each table, bucket and queue.
    tables: tables as Deployment['tables'],
    buckets: buckets as Deployment['buckets'],
    queues: queues as Deployment['queues'],
    jobNamePrefix,
    connectionSecretPrefix: connectionSecretPrefix({ deployment: jobNamePrefix }),
    encryptionKeyArn,
    apiUrl,
  };
}
