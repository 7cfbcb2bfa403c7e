import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ClientSampled } from '#shared/contracts/insights/network-samples.ts';
import { FactRetracted, RoomCreated, type RoomRetraction } from '#shared/contracts/insights/session-events.ts';
import type { ClientSpoke } from '#shared/contracts/insights/speech.ts';
import type { RoomKey } from '#shared/domain/insights/insight-records.ts';
import { splitIntoBlocks } from '#shared/domain/insights/network-series.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import type { VisitorSegment } from '#shared/domain/insights/room-visitors.ts';
import { bytesOf, type SessionBlock } from '#shared/domain/insights/session/session-log.ts';
import { spanOf, sumsOfMinutes } from '#shared/domain/insights/session/session-minutes.ts';
import { splitSpeech } from '#shared/domain/insights/speech.ts';
import type { StoredFact } from '#shared/domain/insights/talk-facts.ts';
import { attributeNames, minuteSums } from '#shared/runtime/names.ts';
import { zlib } from '#shared/runtime/zlib.ts';
import { batchGet } from '../common/batch-get.ts';
import { type KeyRange, organizationRoom } from '../common/keys.ts';
import { factQueries } from './fact-queries.ts';
import {
  blockKey,
  blocksAfter,
  creationKey,
  creationRetractionKey,
  creationRetractions,
  creations,
  organizationSession,
  sampleBlockKey,
  spanKey,
  speechBlockKey,
  visitorSegments,
} from './keys.ts';
import { toBlock, toBlockItem } from './session-blocks.ts';
import { toSpeechItem } from './session-speech.ts';
import { toVisitorSegment } from './visitor-segments.ts';

/** Stores and reads facts. */
export type InsightFacts = ReturnType<typeof insightFacts>;

/** After how many days a stored fact expires, counted from now. If `keptDays` is undefined, facts do not expire. */
export type KeptDays = { readonly keptDays?: number | undefined; readonly now?: () => Date };

const daySeconds = 24 * 60 * 60;

/** The facts that insights are computed from: logs of sessions' events, samples and speech. */
export function insightFacts(
  documents: DynamoDBDocumentClient,
  tableName: string,
  { keptDays, now = () => new Date() }: KeptDays = {},
) {
  const queries = factQueries(documents, tableName);
  const query = (owner: string, range: KeyRange, consistent: boolean) => queries.each({ owner, range, consistent });

  const expiry = () =>
    keptDays && { [attributeNames.expiresAt]: Math.floor(now().getTime() / 1000) + keptDays * daySeconds };

  /** Returns false if there is an item with the same key. */
  const keepOnce = async (Item: Record<string, unknown>): Promise<boolean> => {
    try {
      await documents.send(
        new PutCommand({ TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(factKey)' }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return false;
    }
  };

  return {
    /** Reads the blocks of a session's log after the one with this number, strongly consistent, in their order. */
    async readBlocks(session: SessionId, after: number): Promise<SessionBlock[]> {
      const blocks: SessionBlock[] = [];
      for await (const item of query(organizationSession(session), blocksAfter(after), true))
        blocks.push(toBlock(item));
      return blocks;
    },

    /** Stores the next block of a session's log. Returns undefined if a block with this number is stored. */
    async append(session: SessionId, number: number, facts: readonly StoredFact[]): Promise<SessionBlock | undefined> {
      const block = { number, facts, bytes: bytesOf(facts) };
      const isStored = await keepOnce({ ...blockKey(session, number), ...toBlockItem(block), ...expiry() });
      return isStored ? block : undefined;
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

    /** Reads, strongly consistent, the segments of one shard of a room's visitors. */
    async segmentsOf({ organizationId, roomName }: RoomKey, shard: number): Promise<VisitorSegment[]> {
      const segments: VisitorSegment[] = [];
      for await (const item of query(organizationRoom(organizationId, roomName), visitorSegments(shard), true))
        segments.push(toVisitorSegment(item));
      return segments;
    },

    /** Stores the samples of an event in blocks. Does nothing for blocks that are stored already. */
    async keepSamples({ id, organizationId, data }: ClientSampled): Promise<void> {
      for (const block of splitIntoBlocks(data)) {
        const { startedAt, sampleRateMs, ...series } = block;
        await keepOnce({
          ...sampleBlockKey({ organizationId, ...data }, data.participantId, startedAt, id),
          [attributeNames.spanKey]: spanKey(spanOf(block), startedAt),
          [minuteSums]: JSON.stringify(sumsOfMinutes(block)),
          ...{ startedAt, sampleRateMs, series: zlib().deflateRawSync(JSON.stringify(series)) },
          ...expiry(),
        });
      }
    },

    /** Stores the speech of an event in blocks. Does nothing for blocks that are stored already. */
    async keepSpeech({ id, organizationId, data }: ClientSpoke): Promise<void> {
      for (const block of splitSpeech(data.intervals)) {
        const key = speechBlockKey({ organizationId, ...data }, block.startedAt, data.participantId, id);
        await keepOnce({ ...key, ...toSpeechItem(data.participantId, block), ...expiry() });
      }
    },
  };
}
