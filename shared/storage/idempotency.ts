import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  IdempotencyInconsistentStateError,
  IdempotencyPersistenceLayerError,
  IdempotencyValidationError,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import type { KeyedCall } from '../contracts/idempotency.ts';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '../errors.ts';
import { attributeNames } from '../names.ts';

/** How long a key is kept, from the end of its first call on. */
const keptSeconds = 24 * 3_600;

/**
 * Runs the work of a call once for its key and answers every repetition with what it returned. While it runs, a repetition
 * throws `IdempotencyKeyInUse`; one with another body throws `IdempotencyKeyReused`. Work that throws leaves no trace, and
 * work whose end was never noted, because the function died or DynamoDB did not answer, runs again: it must stand that.
 */
export function idempotentCalls(documents: DynamoDBDocumentClient, tableName: string) {
  return async <Result>(call: KeyedCall, work: () => Promise<Result>): Promise<Result> => {
    const { organizationId, operationId, key, body, context } = call;
    const runOnce = makeIdempotent((_call: { readonly key: string; readonly body: unknown }) => work(), {
      persistenceStore: new DynamoDBPersistenceLayer({
        tableName,
        awsSdkV3Client: documents,
        keyAttr: attributeNames.organizationId,
        staticPkValue: organizationId,
        sortKeyAttr: attributeNames.operationKey,
        expiryAttr: attributeNames.expiresAt,
      }),
      keyPrefix: operationId,
      config: new IdempotencyConfig({
        eventKeyJmesPath: 'key',
        payloadValidationJmesPath: 'body',
        throwOnNoIdempotencyKey: true,
        hashFunction: 'sha256',
        expiresAfterSeconds: keptSeconds,
        lambdaContext: context as Context, // nothing else of it is looked at
      }),
    });
    try {
      return await runOnce({ key, body });
    } catch (error) {
      throw translated(error);
    }
  };
}

function translated(error: unknown): unknown {
  if (error instanceof IdempotencyValidationError) return new IdempotencyKeyReused();
  const isRunning =
    error instanceof IdempotencyAlreadyInProgressError || error instanceof IdempotencyInconsistentStateError;
  if (isRunning) return new IdempotencyKeyInUse();
  return error instanceof IdempotencyPersistenceLayerError ? error.cause : error;
}
