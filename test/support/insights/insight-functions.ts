import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createHandler as createGetParticipant } from '#functions/api/insights/get-participant/handler.ts';
import { createHandler as createGetSessionNetwork } from '#functions/api/insights/get-session-network/handler.ts';
import { createHandler as createListParticipants } from '#functions/api/insights/list-participants/handler.ts';
import { createHandler as createListRooms } from '#functions/api/insights/list-room-insights/handler.ts';
import { createHandler as createListRoomSessions } from '#functions/api/insights/list-room-session-insights/handler.ts';
import { createHandler as createListUsage } from '#functions/api/insights/list-usage/handler.ts';
import { createHandler as createSettle } from '#functions/workers/insights/settle-sessions/handler.ts';
import { createHandler as createRecordSamples } from '#functions/workers/platforms/record-network-samples/handler.ts';
import { createHandler as createRecordEvents } from '#functions/workers/platforms/record-room-events/handler.ts';
import { usualSampleRateMs } from '#shared/contracts/insights/network-samples.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { participantLister, roomSessionLister } from '#shared/storage/insights/lists.ts';
import { participantFacts } from '#shared/storage/insights/participant-facts.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { sessionNetworkReader } from '#shared/storage/insights/session-network.ts';
import { sessionRepository } from '#shared/storage/insights/sessions.ts';
import { settlingSessions } from '#shared/storage/insights/settling-sessions.ts';
import { usageLister } from '#shared/storage/insights/usage-days.ts';
import { type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { admission, httpEvent, organizationClaim } from '../http/http-events.ts';
import { runEndpoint } from '../http/run-endpoint.ts';
import { anyTime, sqsEvent } from '../http/sqs-events.ts';

/** The tables of the insights. */
export type InsightTables = Readonly<
  Record<'rooms' | 'roomSessions' | 'participants' | 'insightFacts' | 'notices' | 'usageDays', string>
>;

/** The functions of the insights, built as in their composition roots. */
export type InsightFunctions = ReturnType<typeof insightFunctions>;

/** Builds the functions of the insights on one client in this process. Their failures are thrown. By default no session is due. */
export function insightFunctions(
  documents: DynamoDBDocumentClient,
  tables: InsightTables,
  { sessionIdleHours }: { readonly sessionIdleHours?: number | undefined } = {},
) {
  const facts = insightFacts(documents, tables.insightFacts);
  const queue = { sqs: { send: async () => ({}) }, url: 'nowhere' }; // failed messages would return to this queue
  const recordEvents = createRecordEvents({
    timeBounds: anyTime,
    queue,
    facts,
    insights: sessionInsights(documents, tables, facts),
    registration: { register: unexpected, claimFiles: unexpected, storeTrack: unexpected },
    transcriptions: { beginLive: unexpected, endLive: unexpected },
    files: { removeLive: unexpected },
    transcriptsBucket: 'none',
    sessionIdleHours,
    sessionSettleSeconds: 60,
  });
  const recordSamples = createRecordSamples({ timeBounds: anyTime, queue, facts, askForTalk: async () => {} });
  const endpoints = {
    rooms: createListRooms({ listRooms: roomLister(documents, tables.rooms), admission }),
    roomSessions: createListRoomSessions({
      listRoomSessions: roomSessionLister(documents, tables),
      admission,
    }),
    participants: createListParticipants({
      listParticipants: participantLister(documents, tables.participants),
      admission,
    }),
    participant: createGetParticipant({
      facts: participantFacts(documents, tables.insightFacts),
      defaultSampleRateMs: usualSampleRateMs,
      admission,
    }),
    network: createGetSessionNetwork({ networkOf: sessionNetworkReader(documents, tables.insightFacts), admission }),
    usage: createListUsage({ listUsage: usageLister(documents, tables.usageDays), admission }),
  };
  return {
    /** Sends events to their worker as one batch. */
    async record(...events: readonly PlatformEvent[]): Promise<void> {
      const areMeasured = events[0] && queueOf(events[0]) === 'networkSamples';
      const { batchItemFailures } = await (areMeasured ? recordSamples : recordEvents)(sqsEvent(...events));
      if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} of the events failed.`);
    },

    /** Tells the end of a session, as if no event of it had come for long. */
    async tellEnd(key: SessionKey): Promise<void> {
      async function* listDue() {
        yield key;
      }
      const settling = { ...settlingSessions(documents, tables), listDue };
      const now = () => new Date(Date.now() + 3_600_000);
      const sessions = sessionRepository(documents, tables.roomSessions);
      await createSettle({ settling, sessions, now })({}, { getRemainingTimeInMillis: () => 60_000 });
    },

    /** Calls an endpoint as an organization and returns the body of the answer. */
    async get(endpoint: keyof typeof endpoints, organizationId: string, query: Record<string, string>) {
      const event = httpEvent({
        claims: { [organizationClaim]: organizationId },
        query: String(new URLSearchParams(query)),
      });
      const { statusCode, body } = await runEndpoint(endpoints[endpoint], event);
      if (statusCode !== 200) throw new Error(`${endpoint} answers with ${statusCode} ${JSON.stringify(body)}`);
      return body;
    },
  };
}

function unexpected(): never {
  throw new Error('Events of sessions must not call this.');
}
