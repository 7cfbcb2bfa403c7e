import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { BucketName, QueueName, TableName } from '#shared/runtime/names.ts';
import type { WorkQueue } from '../functions/work-queue.ts';

/** The resources that functions use. A function can use only what its `Access` lists. */
export type ServiceResources = {
  readonly tables: Record<TableName, Table>;
  readonly buckets: Record<BucketName, Bucket>;
  readonly queues: Record<QueueName, WorkQueue>;
  /** The bus on which every notice is put. */
  readonly eventBus: EventBus;
  /** The secret from which those of webhooks are derived. */
  readonly webhookSecret: Secret;
  /** The key of the tables, buckets and queues, if the stage has one of its own. */
  readonly encryptionKey: IKey | undefined;
  /** Name of the stage's stack. It tells this deployment's metrics and logs from those of others in the account. */
  readonly deployment: string;
  /** First part of the name of every Transcribe job of this deployment. */
  readonly jobNamePrefix: string;
};
