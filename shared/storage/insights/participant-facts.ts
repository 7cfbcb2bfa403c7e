import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SampleBlock } from '#shared/contracts/insights/network-samples.ts';
import type { ConnectionEvents } from '#shared/domain/insights/connection-events.ts';
import { countedSamples, maxBlock, refuseTooMany, type TimeRange } from '#shared/domain/insights/network-series.ts';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { connectionsThatCount } from '#shared/domain/insights/session/session-stays.ts';
import { inflatedText } from '#shared/runtime/zlib.ts';
import type { KeyRange } from '../common/keys.ts';
import { factQueries } from './fact-queries.ts';
import { blocksAfter, organizationSession, sampleBlocks } from './keys.ts';
import { toBlock } from './session-blocks.ts';

/** Checked by one function, because a participant of a day has 172 800 values. */
const Series = z.custom<(number | null)[]>(
  (series) => Array.isArray(series) && series.every((value) => value === null || Number.isFinite(value)),
);
const AllSeries = z.object({
  packetLossSend: Series,
  packetLossRecv: Series,
  bitrateSend: Series,
  bitrateRecv: Series,
});

/** The series are stored as compressed JSON. A minute of one participant then costs one write unit, and decoding takes a tenth of the time that a list would. */
const SampleRow = z.object({
  startedAt: z.string(),
  sampleRateMs: z.number(),
  series: z.pipe(
    z.instanceof(Uint8Array),
    z.transform((bytes) => AllSeries.parse(JSON.parse(inflatedText(bytes)))),
  ),
});

/** One participant of one session, in any room, as clients identify it. */
type ParticipantId = SessionId & { readonly participantId: string };

/** Reads the facts of one participant. */
export type ParticipantFacts = ReturnType<typeof participantFacts>;

/** The facts of which participant detail consists, by eventually consistent reads. */
export function participantFacts(documents: Pick<DynamoDBDocumentClient, 'send'>, tableName: string) {
  const { each } = factQueries(documents, tableName);
  const queryOf = (session: SessionId, range: KeyRange) => ({
    ...{ owner: organizationSession(session), range, consistent: false },
  });

  return {
    /** Reads a participant's connections in the order of joining, with the events that count and were not taken back. */
    async connectionsOf(participant: ParticipantId): Promise<ConnectionEvents[]> {
      const log = sessionLog();
      const texts = [JSON.stringify(participant.participantId), '"fact.retracted"'];
      for await (const item of each(queryOf(participant, blocksAfter(0)))) log.append(toBlock(item, texts));
      return connectionsThatCount(participant, log);
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
