import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ParticipantSessionDetail } from '../../contracts/insights.ts';
import type { ClientSampled, SampleBlock } from '../../contracts/network-samples.ts';
import type { OrganizationId } from '../../contracts/organization.ts';
import { type ClientJoined, SessionEvent } from '../../contracts/session-events.ts';
import {
  countedSamples,
  maxBlock,
  refuseTooMany,
  splitIntoBlocks,
  type TimeRange,
} from '../../domain/network-series.ts';
import { attributeNames } from '../../names.ts';
import type { KeyRange } from '../keys.ts';
import { clientFacts, eventKey, organizationSession, sampleBlockKey, sampleBlocks, sessionFacts } from './keys.ts';

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
    owner: Pick<ParticipantId, 'organizationId' | 'roomSessionId'>,
    [first, last]: KeyRange,
    ConsistentRead: boolean,
  ): AsyncGenerator<Record<string, unknown>> {
    const pages = paginateQuery(
      { client: documents },
      {
        TableName: tableName,
        KeyConditionExpression: 'factOwner = :owner AND factKey BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':owner': organizationSession(owner), ':first': first, ':last': last },
        ConsistentRead,
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  };

  const eventsIn = async (owner: Parameters<typeof query>[0], range: KeyRange, consistent: boolean) => {
    const events: SessionEvent[] = [];
    for await (const item of query(owner, range, consistent)) events.push(SessionEvent.parse(item));
    return events;
  };

  const expiry = () =>
    keptDays && { [attributeNames.expiresAt]: Math.floor(now().getTime() / 1000) + keptDays * daySeconds };

  const keepOnce = async (fact: Record<string, unknown>) => {
    const Item = { ...fact, ...expiry() };
    const ConditionExpression = 'attribute_not_exists(factKey)';
    try {
      await documents.send(new PutCommand({ TableName: tableName, Item, ConditionExpression }));
    } catch (error) {
      const isKeptAlready = error instanceof ConditionalCheckFailedException;
      if (!isKeptAlready) throw error;
    }
  };

  return {
    /** Stores an event. Does nothing if it is stored already. */
    keep: (event: SessionEvent): Promise<void> => keepOnce({ ...eventKey(event), ...event }),

    /** Stores the samples of an event in blocks. Does nothing for blocks that are stored already. */
    async keepSamples({ id, organizationId, data }: ClientSampled): Promise<void> {
      for (const { startedAt, sampleRateMs, ...series } of splitIntoBlocks(data)) {
        const key = sampleBlockKey({ organizationId, ...data }, data.participantId, startedAt, id);
        await keepOnce({ ...key, startedAt, sampleRateMs, series: deflateRawSync(JSON.stringify(series)) });
      }
    },

    /** Reads, strongly consistent, a session's own events and those of some participants, in any room. */
    async eventsOf(
      session: Pick<ParticipantId, 'organizationId' | 'roomSessionId'>,
      participantIds: readonly string[],
    ): Promise<SessionEvent[]> {
      const places = [sessionFacts, ...participantIds.map(clientFacts)];
      return (await Promise.all(places.map((place) => eventsIn(session, place, true)))).flat();
    },

    /** Reads a participant's joins in the order of time. */
    async joinsOf(participant: ParticipantId): Promise<ClientJoined[]> {
      const events = await eventsIn(participant, clientFacts(participant.participantId), false);
      return events.filter((event) => event.type === 'room.client.joined');
    },

    /** Reads a participant's blocks of samples that overlap the range, in the order of their start. Throws `InvalidRequest` if there are too many. */
    async samplesOf(participant: ParticipantId, { from, to }: TimeRange): Promise<SampleBlock[]> {
      const reachingIn = from && new Date(Date.parse(from) - maxBlock.lengthMs).toISOString();
      const blocks: SampleBlock[] = [];
      let samples = 0;
      for await (const item of query(participant, sampleBlocks(participant.participantId, reachingIn, to), false)) {
        const { series, ...block } = SampleRow.parse(item);
        blocks.push({ ...block, ...series });
        samples += countedSamples(series);
        refuseTooMany(samples);
      }
      return blocks;
    },
  };
}
