import { createHash, randomUUID } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { mergedSession, type PlatformSession, type SessionReport } from '#shared/domain/platforms/platform-session.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { attributeNames } from '#shared/runtime/names.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';
import type { ParkedHook, PlatformRoom, PlatformSessionStore } from '#shared/use-cases/platforms/ports.ts';
import { batchGet } from '../common/batch-get.ts';
import { afterAllTimes, separator } from '../common/keys.ts';
import { unlessRefused } from '../common/unless-refused.ts';

const daySeconds = 24 * 60 * 60;
const keptDays = 30;
/** The starts that are read for one webhook, and at most so many sessions. The sessions of a room follow one another, so the first is nearly always the one. */
const maxStarts = 20;
const parkedPerPage = 100;
const deletesAtOnce = 10;
const maxAttempts = 10;
const maxPauseMs = 50;

const SessionRow = z.object({
  roomName: z.string(),
  sessionId: z.string(),
  startedAt: z.string(),
  endedAt: z.nullable(z.string()),
  lastCount: z.optional(z.object({ at: z.string(), clients: z.number() })),
  participants: z.optional(z.record(z.string(), z.string())),
  /** Another one with each change of the session. */
  version: z.string(),
  /** The id of the last change, until the waiting webhooks were sent again for it. */
  change: z.optional(z.string()),
});
const StartRow = z.object({ sessionKey: z.string() });
const ParkedRow = z.object({ key: z.string(), mark: z.string(), time: z.optional(z.string()) });
const WaitRow = z.object({ ...ParkedRow.shape, since: z.string() });

type Options = {
  readonly now?: () => Date;
  readonly newId?: () => string;
  /** For how many days the bodies of webhooks are kept, and with them the rows of those that wait. */
  readonly hookDays: number;
};

/** Implements `PlatformSessionStore` with DynamoDB. Sessions expire after thirty days. */
export function platformSessions(
  documents: DynamoDBDocumentClient,
  TableName: string,
  { now = () => new Date(), newId = randomUUID, hookDays }: Options,
): PlatformSessionStore {
  const expiry = () => ({ [attributeNames.expiresAt]: Math.floor(now().getTime() / 1000) + keptDays * daySeconds });
  const put = (key: Key, row: object, condition: object = {}) =>
    documents.send(new PutCommand({ TableName, Item: { ...key, ...row, ...expiry() }, ...condition }));

  /**
   * The keys of the sessions of a room that had started by a time, the latest start first. A session has a row for every start that was
   * learnt, so it can be named more than once.
   */
  const startedBy = async ({ organizationId, ...room }: PlatformRoom, time: string | undefined) => {
    const prefix = prefixOf('start', room);
    const { Items = [] } = await documents.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: `${attributeNames.organizationId} = :organizationId AND ${attributeNames.stateKey} BETWEEN :first AND :last`,
        ExpressionAttributeValues: {
          ':organizationId': organizationId,
          ':first': prefix,
          ':last': `${prefix}${time === undefined ? '' : sortableTime(time)}${afterAllTimes}`,
        },
        ScanIndexForward: false,
        Limit: maxStarts,
        ConsistentRead: true,
      }),
    );
    const keys = new Set(Items.map((item) => StartRow.parse(item).sessionKey));
    return [...keys].map((stateKey) => ({
      [attributeNames.organizationId]: organizationId,
      [attributeNames.stateKey]: stateKey,
    }));
  };

  /** Writes a session as reported together with what is known of it, or returns that another report came between. */
  const rememberOnce = async (room: PlatformRoom, session: PlatformSession) => {
    const key = keyOf('session', room, session.sessionId);
    const { Item } = await documents.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
    const known = Item && SessionRow.parse(Item);
    const merged = mergedSession(known ?? session, session);
    const { roomName, sessionId } = session;
    const all: PlatformSession = { roomName, sessionId, ...merged };
    const asChange = (id: string | undefined) => (id === undefined ? undefined : { id, session: all });
    if (known && isSame(known, merged)) return asChange(known.change);
    // The start is found before the session is, so whoever reads both sees every session that is stored.
    if (known?.startedAt !== merged.startedAt)
      await put(startKey(room, merged.startedAt, sessionId), { sessionKey: key[attributeNames.stateKey] });
    const version = newId();
    const isMoved = known?.startedAt !== merged.startedAt || known.endedAt !== merged.endedAt;
    // The last count decides for what waits, too. But every webhook can bring a new one, so what waits is sent again for new times alone.
    const change = isMoved ? version : known.change;
    const row = { ...all, version, ...(change !== undefined && { change }) };
    const isWritten = await unlessRefused(() => put(key, row, unchangedSince(known)));
    return isWritten ? asChange(change) : tryAgain;
  };

  return {
    async sessionsOf(room, latestStart) {
      const keys = await startedBy(room, latestStart);
      if (keys.length === 0) return [];
      const items = await batchGet(documents, { tableName: TableName, keys, consistent: true });
      const sessions = items.map((item) => toSession(SessionRow.parse(item)));
      return sessions.sort(
        (one, other) => compare(one.startedAt, other.startedAt) || compare(one.sessionId, other.sessionId),
      );
    },

    remember: (room, session) =>
      retry(() => rememberOnce(room, session), {
        maxAttempts,
        maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
        exhausted: 'Other reports of the session came between each time.',
      }),

    async settle(room, { sessionId }, change) {
      const update = new UpdateCommand({
        TableName,
        Key: keyOf('session', room, sessionId),
        UpdateExpression: 'REMOVE #change',
        ConditionExpression: '#change = :change',
        ExpressionAttributeNames: { '#change': 'change' },
        ExpressionAttributeValues: { ':change': change },
      });
      await unlessRefused(() => documents.send(update));
    },

    async park(room, { key, time, receivedAt }) {
      const values = {
        ...{ key, mark: newId(), ...(time !== undefined && { time }) },
        [attributeNames.expiresAt]: Math.floor(Date.parse(receivedAt) / 1000) + hookDays * daySeconds,
      };
      const names = Object.keys(values);
      const command = new UpdateCommand({
        TableName,
        Key: keyOf('parked', room, key),
        UpdateExpression: `SET #since = if_not_exists(#since, :since), ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(['since', ...names].map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(
          Object.entries({ ...values, since: now().toISOString() }).map(([name, value]) => [`:${name}`, value]),
        ),
        ReturnValues: 'ALL_NEW',
      });
      return WaitRow.parse((await documents.send(command)).Attributes);
    },

    async *parked({ organizationId, ...room }) {
      const pages = paginateQuery(
        { client: documents, pageSize: parkedPerPage },
        {
          TableName,
          KeyConditionExpression: `${attributeNames.organizationId} = :organizationId AND begins_with(${attributeNames.stateKey}, :prefix)`,
          ExpressionAttributeValues: { ':organizationId': organizationId, ':prefix': prefixOf('parked', room) },
          ConsistentRead: true,
        },
      );
      for await (const { Items = [] } of pages) if (Items.length > 0) yield Items.map((item) => ParkedRow.parse(item));
    },

    async unpark(room, hooks) {
      const unparkOne = ({ key, mark }: ParkedHook) => {
        const command = new DeleteCommand({
          TableName,
          Key: keyOf('parked', room, key),
          ConditionExpression: '#mark = :mark',
          ExpressionAttributeNames: { '#mark': 'mark' },
          ExpressionAttributeValues: { ':mark': mark },
        });
        return unlessRefused(() => documents.send(command));
      };
      for (const some of chunk(hooks, deletesAtOnce)) await Promise.all(some.map(unparkOne));
    },
  };
}

/** Counts the webhooks of a connection that wait for a session, in all of its rooms. */
export async function countParked(
  documents: DynamoDBDocumentClient,
  TableName: string,
  { organizationId, connectionId }: Pick<PlatformRoom, 'organizationId' | 'connectionId'>,
): Promise<number> {
  const query = {
    TableName,
    KeyConditionExpression: `${attributeNames.organizationId} = :organizationId AND begins_with(${attributeNames.stateKey}, :prefix)`,
    ExpressionAttributeValues: {
      ':organizationId': organizationId,
      ':prefix': `${'parked' satisfies Kind}#${connectionId}#`,
    },
    Select: 'COUNT' as const,
  };
  let count = 0;
  for await (const { Count = 0 } of paginateQuery({ client: documents }, query)) count += Count;
  return count;
}

type Kind = 'session' | 'start' | 'parked';
type Key = Readonly<Record<string, string>>;

/** Names of rooms and ids of sessions are hashed, because platforms bound neither their length nor their characters. */
function prefixOf(kind: Kind, { connectionId, roomName }: Pick<PlatformRoom, 'connectionId' | 'roomName'>): string {
  return `${kind}#${connectionId}#${hashOf(roomName)}${separator}`;
}

function keyOf(kind: Kind, { organizationId, ...room }: PlatformRoom, id: string): Key {
  return {
    [attributeNames.organizationId]: organizationId,
    [attributeNames.stateKey]: `${prefixOf(kind, room)}${hashOf(id)}`,
  };
}

function startKey(room: PlatformRoom, startedAt: string, sessionId: string): Key {
  const { organizationId, ...named } = room;
  const sortKey = [sortableTime(startedAt), hashOf(sessionId)].join(separator);
  return {
    [attributeNames.organizationId]: organizationId,
    [attributeNames.stateKey]: `${prefixOf('start', named)}${sortKey}`,
  };
}

/** Times of one form sort as the moments do. */
function sortableTime(time: string): string {
  return new Date(time).toISOString();
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function toSession({
  roomName,
  sessionId,
  startedAt,
  endedAt,
  lastCount,
  participants,
}: z.infer<typeof SessionRow>): PlatformSession {
  return {
    ...{ roomName, sessionId, startedAt, endedAt },
    ...(lastCount && { lastCount }),
    ...(participants && { participants }),
  };
}

function isSame(one: SessionReport, other: SessionReport): boolean {
  const countOf = ({ participants = {} }: SessionReport) => Object.keys(participants).length; // they are only added
  const isCountSame = one.lastCount?.at === other.lastCount?.at && one.lastCount?.clients === other.lastCount?.clients;
  const areTimesSame = one.startedAt === other.startedAt && one.endedAt === other.endedAt;
  return areTimesSame && isCountSame && countOf(one) === countOf(other);
}

/** The condition of a write that what was read is still there. */
function unchangedSince(known: { readonly version: string } | undefined) {
  if (!known) return { ConditionExpression: `attribute_not_exists(${attributeNames.stateKey})` };
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': known.version } };
}
