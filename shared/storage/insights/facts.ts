import { deflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { ClientSampled } from '../../contracts/network-samples.ts';
import { FactRetracted, RoomCreated, type RoomRetraction, type SessionFact } from '../../contracts/session-events.ts';
import type { RoomKey } from '../../domain/insight-records.ts';
import { splitIntoBlocks } from '../../domain/network-series.ts';
import { attributeNames } from '../../names.ts';
import { batchGet } from '../batch-get.ts';
import { type KeyRange, organizationRoom } from '../keys.ts';
import { factQueries } from './fact-queries.ts';
import {
  creationKey,
  creationRetractionKey,
  creationRetractions,
  creations,
  eventKey,
  sampleBlockKey,
} from './keys.ts';
import { sessionFactReads, toFact } from './session-facts.ts';

/** Stores and reads facts. */
export type InsightFacts = ReturnType<typeof insightFacts>;

/** After how many days a stored fact expires, counted from now. If `keptDays` is undefined, facts do not expire. */
export type KeptDays = { readonly keptDays?: number | undefined; readonly now?: () => Date };

const daySeconds = 24 * 60 * 60;

/** The facts that insights are computed from: events and samples. Each is stored once, under its session. */
export function insightFacts(
  documents: DynamoDBDocumentClient,
  tableName: string,
  { keptDays, now = () => new Date() }: KeptDays = {},
) {
  const queries = factQueries(documents, tableName);
  const query = (owner: string, range: KeyRange, consistent: boolean) => queries.each({ owner, range, consistent });

  const expiry = () =>
    keptDays && { [attributeNames.expiresAt]: Math.floor(now().getTime() / 1000) + keptDays * daySeconds };

  /** With `ALL_OLD`, returns the item that has been stored with the same key before, if there is one. */
  const keepOnce = async (Item: Record<string, unknown>, returned: 'NONE' | 'ALL_OLD' = 'NONE') => {
    const condition = {
      ConditionExpression: 'attribute_not_exists(factKey)',
      ReturnValuesOnConditionCheckFailure: returned,
    };
    try {
      await documents.send(new PutCommand({ TableName: tableName, Item, ...condition }));
      return undefined;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item && unmarshall(error.Item);
    }
  };

  return {
    ...sessionFactReads(queries),

    /** Stores a fact, unless a fact with the same identity is stored. Returns the stored one. */
    async keep(fact: SessionFact): Promise<SessionFact> {
      const stored = await keepOnce({ ...eventKey(fact), ...fact, ...expiry() }, 'ALL_OLD');
      return stored ? toFact(stored) : fact;
    },

    /** Stores a creation of a room, or the retraction of one. Neither expires, as the room's other figures do not. */
    async keepOfRoom(event: RoomCreated | RoomRetraction): Promise<void> {
      const key =
        event.type === 'room.created'
          ? creationKey(event)
          : creationRetractionKey({ ...event, ...event.data }, event.data.eventId);
      await keepOnce({ ...key, ...event });
    },

    /** Reads, strongly consistent, a room's creations that were not taken back. */
    async creationsOf({ organizationId, roomName }: RoomKey): Promise<RoomCreated[]> {
      const owner = organizationRoom(organizationId, roomName);
      const retracted = new Set<string>();
      for await (const item of query(owner, creationRetractions, true))
        retracted.add(FactRetracted.parse(item).data.eventId);
      const found: RoomCreated[] = [];
      for await (const item of query(owner, creations, true)) found.push(RoomCreated.parse(item));
      return found.filter(({ id }) => !retracted.has(id));
    },

    /** Reads, strongly consistent, whether a creation was taken back. */
    async isRetracted({ id, organizationId, data }: RoomCreated): Promise<boolean> {
      const Key = creationRetractionKey({ organizationId, roomName: data.roomName }, id);
      const keys = [Key];
      return (await batchGet(documents, { tableName, keys, consistent: true })).length > 0;
    },

    /** Stores the samples of an event in blocks. Does nothing for blocks that are stored already. */
    async keepSamples({ id, organizationId, data }: ClientSampled): Promise<void> {
      for (const { startedAt, sampleRateMs, ...series } of splitIntoBlocks(data)) {
        const key = sampleBlockKey({ organizationId, ...data }, data.participantId, startedAt, id);
        await keepOnce({
          ...{ ...key, startedAt, sampleRateMs, series: deflateRawSync(JSON.stringify(series)) },
          ...expiry(),
        });
      }
    },
  };
}
