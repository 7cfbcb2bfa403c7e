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
import type { KeyedCall } from '#shared/contracts/organization/idempotency.ts';
import { IdempotencyKeyInUse, IdempotencyKeyReused } from '#shared/runtime/errors.ts';
import { attributeNames } from '#shared/runtime/names.ts';

/** How long a key is kept after its first call has ended. */
const keptSeconds = 24 * 3_600;

/**
 * Runs the work of a call once per key, and returns its result again for every repetition. A repetition throws
 * `IdempotencyKeyInUse` while the work runs, and `IdempotencyKeyReused` if its body differs. Work that throws may be repeated.
 * Work whose end was not stored, because the function died or DynamoDB did not respond, runs again, so it must be repeatable.
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
        lambdaContext: context as Context, // the library reads only the remaining time
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
