import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ParticipantSessionDetail } from '../../contracts/insights.ts';
import type { ClientSampled, SampleBlock } from '../../contracts/network-samples.ts';
import type { OrganizationId } from '../../contracts/organization.ts';
import { type ClientJoined, SessionEvent } from '../../contracts/session-events.ts';
import { maxBlock, refuseTooMany, splitIntoBlocks, type TimeRange } from '../../domain/network-series.ts';
import { attributeNames } from '../../names.ts';
import type { KeyRange } from '../keys.ts';
import { clientFacts, eventKey, organizationSession, sampleBlockKey, sampleBlocks, sessionFacts } from './keys.ts';

const AllSeries = ParticipantSessionDetail.shape.samples;

/** The series are kept as compressed JSON: so a minute of one participant is one write unit, and a tenth of a list's work. */
const SampleRow = z.object({
  startedAt: z.string(),
  sampleRateMs: z.number(),
  series: z.pipe(
    z.instanceof(Uint8Array),
    z.transform((bytes) => AllSeries.parse(JSON.parse(inflateRawSync(bytes).toString()))),
  ),
});

/** One participant of one session, as clients name them: in whatever room. */
export type ParticipantId = {
  readonly organizationId: OrganizationId;
  readonly roomSessionId: string;
  readonly participantId: string;
};

/** What keeps and finds facts. */
export type InsightFacts = ReturnType<typeof insightFacts>;

/** For how many days from now on what is kept stays; undefined: for ever. */
export type KeptDays = { readonly keptDays?: number | undefined; readonly now?: () => Date };

const daySeconds = 24 * 60 * 60;

/** The facts that insights are made of: events and samples, each kept once, under its session. */
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
    /** Keeps an event; one that is kept already stays as it is. */
    keep: (event: SessionEvent): Promise<void> => keepOnce({ ...eventKey(event), ...event }),

    /** Keeps the samples of an event in blocks; those that are kept already stay as they are. */
    async keepSamples({ id, organizationId, data }: ClientSampled): Promise<void> {
      for (const { startedAt, sampleRateMs, ...series } of splitIntoBlocks(data)) {
        const key = sampleBlockKey({ organizationId, ...data }, data.participantId, startedAt, id);
        await keepOnce({ ...key, startedAt, sampleRateMs, series: deflateRawSync(JSON.stringify(series)) });
      }
    },

    /** A session's own events and those of some of its participants, in whatever room, as they are right now. */
    async eventsOf(
      session: Pick<ParticipantId, 'organizationId' | 'roomSessionId'>,
      participantIds: readonly string[],
    ): Promise<SessionEvent[]> {
      const places = [sessionFacts, ...participantIds.map(clientFacts)];
      return (await Promise.all(places.map((place) => eventsIn(session, place, true)))).flat();
    },

    /** A participant's joins, in the order of time. */
    async joinsOf(participant: ParticipantId): Promise<ClientJoined[]> {
      const events = await eventsIn(participant, clientFacts(participant.participantId), false);
      return events.filter((event) => event.type === 'room.client.joined');
    },

    /** A participant's blocks of samples that reach into the range, in the order of their start. Throws `InvalidRequest` at too many. */
    async samplesOf(participant: ParticipantId, { from, to }: TimeRange): Promise<SampleBlock[]> {
      const reachingIn = from && new Date(Date.parse(from) - maxBlock.lengthMs).toISOString();
      const blocks: SampleBlock[] = [];
      let samples = 0;
      for await (const item of query(participant, sampleBlocks(participant.participantId, reachingIn, to), false)) {
        const { series, ...block } = SampleRow.parse(item);
        blocks.push({ ...block, ...series });
        samples += series.packetLossSend.length;
        refuseTooMany(samples);
      }
      return blocks;
    },
  };
}
