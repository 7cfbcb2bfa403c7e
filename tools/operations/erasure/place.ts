import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { outputNames } from '../../../infra/outputs.ts';
import { stackName } from '../../../infra/stages.ts';
import type { BucketName, TableName } from '../../../shared/names.ts';
import { clientSettings } from '../../shared/client-settings.ts';
import { describeOutputs, type Endpoints, readEndpoints } from '../../shared/endpoints.ts';

/** What holds an organization's data. */
export type Stores = {
  readonly documents: DynamoDBDocumentClient;
  readonly s3: S3Client;
  readonly transcribe: TranscribeClient;
};

/** Where there is something to erase: the stores, and what in them is this deployment's. */
export type Place = Stores & {
  readonly tables: Readonly<Record<TableName, string>>;
  readonly buckets: Readonly<Record<BucketName, string>>;
  readonly jobNamePrefix: string;
  readonly apiUrl: string;
};

/** Transcribe takes five deletions of jobs a second: the SDK slows down to what it is given. */
const patient = { maxAttempts: 10, retryMode: 'adaptive' } as const;

/** The stores of the AWS account of the environment's credentials, or those of a running `npm start`. */
export function openStores(endpoints?: Endpoints): Stores {
  const settings = (url: string | undefined) => ({ ...patient, ...(url !== undefined && clientSettings(url)) });
  return {
    documents: DynamoDBDocumentClient.from(new DynamoDBClient(settings(endpoints?.dynamodbUrl))),
    s3: new S3Client(settings(endpoints?.s3Url)),
    transcribe: new TranscribeClient(settings(endpoints?.transcribeUrl)),
  };
}

/** A deployed stage, by the outputs of its stack. */
export function placeOfStage(stage: string, outputs: ReadonlyMap<string, string>, stores: Stores): Place {
  const described = describeOutputs(Object.fromEntries(outputs));
  const apiUrl = outputs.get(outputNames.apiUrl) ?? '';
  return placeOf({ ...described, apiUrl }, stackName(stage), stores);
}

/** The service of a running `npm start`, by its data directory. */
export async function placeOfRunner(dataDir: string, open: (endpoints: Endpoints) => Stores): Promise<Place> {
  const endpoints = await readEndpoints(dataDir);
  return placeOf(endpoints, stackName('dev'), open(endpoints)); // the runner's one stage
}

function placeOf(
  { tables, buckets, apiUrl }: Pick<Endpoints, 'tables' | 'buckets' | 'apiUrl'>,
  jobNamePrefix: string,
  stores: Stores,
): Place {
  // Every stack has an output for each table and each bucket.
  return { ...stores, tables: tables as Place['tables'], buckets: buckets as Place['buckets'], jobNamePrefix, apiUrl };
}
