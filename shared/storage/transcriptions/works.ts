import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  type QueryCommandInput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import {
  hasEnded,
  type PartKey,
  type TranscriptionPart,
  type WorkKey,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type { KeyRange } from '../common/keys.ts';
import { isLostRace } from '../common/lost-race.ts';
import { partKey, workHeadKey, workRanges, workTurnKey } from './keys.ts';
import { toPart, toTurn, toWork } from './part-rows.ts';

type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Many parts can end at once, and each counts in the one head of their work. */
const maxAttempts = 8;
const maxPauseMs = (failedAttempts: number) => Math.min(25 * 2 ** failedAttempts, 800);

const parallelDeletes = 25;

/**
 * Implements `WorkStore` with DynamoDB. A lost answer does no harm: the SDK repeats a transaction under the same client token, and
 * the other writes find what they have written.
 */
export function workRepository(
  documents: DynamoDBDocumentClient,
  TableName: string,
  { now = () => new Date(), pause }: { readonly now?: () => Date; readonly pause?: Pause } = {},
): WorkStore {
  const expiry = () => ({ [attributeNames.expiresAt]: deadlines.partRowExpiry(now()) });
  const get = async (Key: Record<string, string>) =>
    (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

  const pagesOf = ({ organizationId }: WorkKey, [first, last]: KeyRange, options: Partial<QueryCommandInput> = {}) =>
    paginateQuery(
      { client: documents },
      {
        ...{ TableName, ConsistentRead: true, ...options },
        KeyConditionExpression: 'organizationId = :organizationId AND partKey BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':organizationId': organizationId, ':first': first, ':last': last },
      },
    );

  const keysOf = async (key: WorkKey) => {
    const keys: Record<string, unknown>[] = [];
    const onlyKeys = { ProjectionExpression: 'organizationId, partKey' };
    for await (const { Items = [] } of pagesOf(key, workRanges(key).all, onlyKeys)) keys.push(...Items);
    return keys;
  };

  const headExists = (key: WorkKey): Write => ({
    ConditionCheck: { TableName, Key: workHeadKey(key), ConditionExpression: 'attribute_exists(partKey)' },
  });

  const countEnd = (key: WorkKey): Write => ({
    Update: {
      TableName,
      Key: workHeadKey(key),
      UpdateExpression: 'ADD endedParts :one',
      ConditionExpression: 'attribute_exists(partKey)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  });

  /** Writes a part together with what `ofHead` does. `refused`: the part does not meet its condition. `gone`: there is no head any more. */
  const writeWith = (ofHead: Write, write: Write): Promise<'written' | 'refused' | 'gone'> => {
    let cause: unknown;
    const attempt = async () => {
      try {
        await documents.send(new TransactWriteCommand({ TransactItems: [write, ofHead] }));
        return 'written';
      } catch (error) {
        if (!isLostRace(error)) throw error;
        cause = error;
        const [part, head] = error.CancellationReasons ?? [];
        if (head?.Code === 'ConditionalCheckFailed') return 'gone';
        return part?.Code === 'ConditionalCheckFailed' ? 'refused' : tryAgain;
      }
    };
    const exhausted = 'Too many parts of the same work end at once. The message comes again.';
    return retry(attempt, { maxAttempts, maxPauseMs, exhausted, pause, cause: () => cause });
  };

  const putUnlessStored = (Item: Record<string, unknown>) => ({
    TableName,
    Item: { ...Item, ...expiry() },
    ConditionExpression: 'attribute_not_exists(partKey)',
  });

  return {
    async find(key) {
      const item = await get(workHeadKey(key));
      return item && toWork(item);
    },

    async begin(work) {
      const head = { ...work, endedParts: 0 };
      const put = putUnlessStored({ ...head, ...workHeadKey(work) });
      const stored = await refusedBy(() =>
        documents.send(new PutCommand({ ...put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })),
      );
      return stored ? toWork(stored) : head;
    },

    async markCounted(key) {
      const update = new UpdateCommand({
        TableName,
        Key: workHeadKey(key),
        UpdateExpression: 'SET isCounted = :true',
        ConditionExpression: 'attribute_exists(partKey)',
        ExpressionAttributeValues: { ':true': true },
      });
      await refusedBy(() => documents.send(update));
    },

    async addPart(part) {
      const put = putUnlessStored({ ...part, ...partKey(part) });
      const ofHead = hasEnded(part) ? countEnd(part) : headExists(part);
      return (await writeWith(ofHead, { Put: put })) !== 'gone';
    },

    async findPart(key) {
      const item = await get(partKey(key));
      return item && toPart(item);
    },

    async listParts(key) {
      const parts: TranscriptionPart[] = [];
      for await (const { Items = [] } of pagesOf(key, workRanges(key).parts)) parts.push(...Items.map(toPart));
      return parts;
    },

    async markPartRunning(key, jobStartedAt) {
      const update = new UpdateCommand({
        TableName,
        Key: partKey(key),
        UpdateExpression: 'SET #state = :running, jobStartedAt = :jobStartedAt',
        ConditionExpression: '#state = :waiting',
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ':waiting': 'waiting', ':running': 'running', ':jobStartedAt': jobStartedAt },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const stored = await refusedBy(() => documents.send(update));
      return !stored || (stored.state === 'running' && stored.jobStartedAt === jobStartedAt);
    },

    async endPart(key, end) {
      return (await writeWith(countEnd(key), { Update: { TableName, ...updateOfEnd(key, end) } })) === 'written';
    },

    async findTurn(key) {
      const item = await get(workTurnKey(key));
      return item && toTurn(item);
    },

    async storeTurn(key, turn, asRead) {
      const put = putUnlessStored({ ...turn, ...workTurnKey(key) });
      const instead = { ConditionExpression: 'turnId = :asRead', ExpressionAttributeValues: { ':asRead': asRead } };
      const command = new PutCommand({
        ...put,
        ...(asRead !== undefined && instead),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const stored = await refusedBy(() => documents.send(command));
      return !stored || (stored.turnId === turn.turnId && stored.until === turn.until);
    },

    async remove(key) {
      if ((await keysOf(key)).length === 0) return;
      // Without its head nobody stores a part any more.
      await documents.send(new DeleteCommand({ TableName, Key: workHeadKey(key) }));
      for (const some of chunk(await keysOf(key), parallelDeletes))
        await Promise.all(some.map((Key) => documents.send(new DeleteCommand({ TableName, Key }))));
    },
  };
}

function updateOfEnd(key: PartKey, end: Parameters<WorkStore['endPart']>[1]) {
  const failureCode = end.state === 'failed' ? end.failureCode : undefined;
  return {
    Key: partKey(key),
    UpdateExpression: `SET #state = :end${failureCode === undefined ? '' : ', failureCode = :failureCode'}`,
    ConditionExpression: '#state IN (:waiting, :running)',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':waiting': 'waiting',
      ':running': 'running',
      ':end': end.state,
      ...(failureCode !== undefined && { ':failureCode': failureCode }),
    },
  };
}

/** Runs a conditional write. Returns undefined if it was applied, or the item that did not meet the condition: `{}` if there is none, or it was not asked for. */
async function refusedBy(write: () => Promise<unknown>): Promise<Record<string, unknown> | undefined> {
  try {
    await write();
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ? unmarshall(error.Item) : {};
  }
}
