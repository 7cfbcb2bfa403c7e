import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ParticipantSessionDetail } from '../../contracts/insights.ts';
import type { ClientSampled, SampleBlock } from '../../contracts/network-samples.ts';
import type { OrganizationId } from '../../contracts/organization.ts';
import {
  type ClientJoined,
  FactRetracted,
  isSessionEvent,
  isSessionRetraction,
  RoomCreated,
  type SessionFact,
  StoredFact,
} from '../../contracts/session-events.ts';
import type { RoomKey } from '../../domain/insight-records.ts';
import {
  countedSamples,
  maxBlock,
  refuseTooMany,
  splitIntoBlocks,
  type TimeRange,
} from '../../domain/network-series.ts';
import { attributeNames } from '../../names.ts';
import { batchGet } from '../batch-get.ts';
import { type KeyRange, organizationRoom } from '../keys.ts';
import {
  allClientFacts,
  clientFacts,
  creationKey,
  creationRetractionKey,
  creationRetractions,
  creations,
  eventKey,
  organizationSession,
  sampleBlockKey,
  sampleBlocks,
  sessionFacts,
  sessionRetractions,
} from './keys.ts';

const AllSeries = ParticipantSessionDetail.shape.samples;

/** The series are stored as compressed JSON. A minute of one participant then costs one write unit, and decoding takes a tenth of the time that a list would. */
const SampleRow = z.object({
  startedAt: z.string(),
  sampleRateMs: z.number(),
  series: z.pipe(
    z.instanceof(Uint8Array),
    z.transform((bytes) => AllSeries.parse(JSON.parse(inflateRawSync(bytes).toString()))),
  ),
});

/** One participant of one session, in any room, as clients identify it. */
export type ParticipantId = {
  readonly organizationId: OrganizationId;
  readonly roomSessionId: string;
  readonly participantId: string;
};

type SessionId = Pick<ParticipantId, 'organizationId' | 'roomSessionId'>;

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
  const query = async function* (
    owner: string,
    [first, last]: KeyRange,
    ConsistentRead: boolean,
  ): AsyncGenerator<Record<string, unknown>> {
    const pages = paginateQuery(
      { client: documents },
      {
        TableName: tableName,
        KeyConditionExpression: 'factOwner = :owner AND factKey BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':owner': owner, ':first': first, ':last': last },
        ConsistentRead,
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  };

  const factsIn = async (owner: SessionId, range: KeyRange, consistent: boolean) => {
    const facts: SessionFact[] = [];
    for await (const item of query(organizationSession(owner), range, consistent))
      facts.push(StoredFact.parse(item) as SessionFact); // a retraction in this partition names the session
    return facts;
  };

  const expiry = () =>
    keptDays && { [attributeNames.expiresAt]: Math.floor(now().getTime() / 1000) + keptDays * daySeconds };

  const keepOnce = async (Item: Record<string, unknown>) => {
    const ConditionExpression = 'attribute_not_exists(factKey)';
    try {
      await documents.send(new PutCommand({ TableName: tableName, Item, ConditionExpression }));
    } catch (error) {
      const isKeptAlready = error instanceof ConditionalCheckFailedException;
      if (!isKeptAlready) throw error;
    }
  };

  return {
    /** Stores a fact. Does nothing if it is stored already. */
    keep: (fact: SessionFact): Promise<void> => keepOnce({ ...eventKey(fact), ...fact, ...expiry() }),

    /** Stores a creation of a room, or the retraction of one. Neither expires, as the room's other figures do not. */
    keepOfRoom(event: RoomCreated | FactRetracted): Promise<void> {
      const key =
        event.type === 'room.created'
          ? creationKey(event)
          : creationRetractionKey({ ...event, ...event.data }, event.data.eventId);
      return keepOnce({ ...key, ...event });
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

    /** Reads, strongly consistent, a session's own facts and those of some participants, or of all, in any room. */
    async eventsOf(session: SessionId, participantIds: readonly string[] | 'all'): Promise<SessionFact[]> {
      const places = participantIds === 'all' ? [allClientFacts] : participantIds.map(clientFacts);
      return (await Promise.all([sessionFacts, ...places].map((place) => factsIn(session, place, true)))).flat();
    },

    /** Reads a participant's joins in the order of time, without those that were taken back. */
    async joinsOf(participant: ParticipantId): Promise<ClientJoined[]> {
      const [facts, retractions] = await Promise.all(
        [clientFacts(participant.participantId), sessionRetractions].map((place) => factsIn(participant, place, false)),
      );
      const nameOf = (eventId: string, roomName: string) => JSON.stringify([eventId, roomName]);
      const retracted = new Set(
        retractions?.filter(isSessionRetraction).map(({ data }) => nameOf(data.eventId, data.roomName)),
      );
      return (facts ?? [])
        .filter(isSessionEvent)
        .filter((event) => event.type === 'room.client.joined')
        .filter(({ id, data }) => !retracted.has(nameOf(id, data.roomName)));
    },

    /** Reads a participant's blocks of samples that overlap the range, in the order of their start. Throws `InvalidRequest` if there are too many. */
    async samplesOf(participant: ParticipantId, { from, to }: TimeRange): Promise<SampleBlock[]> {
      const reachingIn = from && new Date(Date.parse(from) - maxBlock.lengthMs).toISOString();
      const blocks: SampleBlock[] = [];
      let samples = 0;
      for await (const item of query(
        organizationSession(participant),
        sampleBlocks(participant.participantId, reachingIn, to),
        false,
      )) {
        const { series, ...block } = SampleRow.parse(item);
        blocks.push({ ...block, ...series });
        samples += countedSamples(series);
        refuseTooMany(samples);
      }
      return blocks;
    },
  };
}
