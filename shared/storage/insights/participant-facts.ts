import { inflateRawSync } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { ParticipantSessionDetail } from '../../contracts/insights.ts';
import type { SampleBlock } from '../../contracts/network-samples.ts';
import { type ClientJoined, FactRetracted, SessionEvent } from '../../contracts/session-events.ts';
import { countedSamples, maxBlock, refuseTooMany, type TimeRange } from '../../domain/network-series.ts';
import { limits } from '../../domain/session-limits.ts';
import type { KeyRange } from '../keys.ts';
import { factQueries } from './fact-queries.ts';
import { clientConnections, organizationSession, type SessionId, sampleBlocks, sessionRetractions } from './keys.ts';

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
type ParticipantId = SessionId & { readonly participantId: string };

/** Reads the facts of one participant. */
export type ParticipantFacts = ReturnType<typeof participantFacts>;

/** The facts of which participant detail consists, by eventually consistent reads. */
export function participantFacts(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string) {
  const { each, upTo } = factQueries(documents, tableName);
  const queryOf = (session: SessionId, range: KeyRange) => ({
    ...{ owner: organizationSession(session), range, consistent: false },
  });

  /** The events that were taken back, by id and room, or by id alone for every room with the session id. */
  const retractedOf = async (session: SessionId): Promise<Set<string>> => {
    const names = new Set<string>();
    for await (const item of each(queryOf(session, sessionRetractions))) {
      const { data } = FactRetracted.parse(item);
      names.add(nameOf(data.eventId, data.roomName));
    }
    return names;
  };

  return {
    /** Reads a participant's joins that count in the order of time, without those that were taken back. */
    async joinsOf(participant: ParticipantId): Promise<ClientJoined[]> {
      const connections = queryOf(participant, clientConnections(participant.participantId));
      const [events, retracted] = await Promise.all([
        upTo(connections, limits.connections, (item) => SessionEvent.parse(item)),
        retractedOf(participant),
      ]);
      return events
        .filter((event) => event.type === 'room.client.joined')
        .filter(({ id, data }) => ![data.roomName, undefined].some((room) => retracted.has(nameOf(id, room))));
    },

    /** Reads a participant's blocks of samples that overlap the range, in the order of their start. Throws `InvalidRequest` if there are too many. */
    async samplesOf(participant: ParticipantId, { from, to }: TimeRange): Promise<SampleBlock[]> {
      const reachingIn = from && new Date(Date.parse(from) - maxBlock.lengthMs).toISOString();
      const blocks: SampleBlock[] = [];
      let samples = 0;
      for await (const item of each(queryOf(participant, sampleBlocks(participant.participantId, reachingIn, to)))) {
        const { series, ...block } = SampleRow.parse(item);
        blocks.push({ ...block, ...series });
        samples += countedSamples(series);
        refuseTooMany(samples);
      }
      return blocks;
    },
  };
}

function nameOf(eventId: string, roomName: string | undefined): string {
  return JSON.stringify([eventId, roomName]);
}
