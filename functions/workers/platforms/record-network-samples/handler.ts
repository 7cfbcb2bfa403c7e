import type { ActivityMessage } from '#shared/contracts/change-messages.ts';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import { refuseFarTimes, type TimeBounds } from '#shared/domain/insights/event-times.ts';
import { type WorkerOptions, type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { LogFacts } from '#shared/runtime/logger.ts';
import type { InsightFacts } from '#shared/storage/insights/facts.ts';

type Deps = {
  readonly queue: WorkerQueue;
  readonly timeBounds: TimeBounds;
  readonly facts: Pick<InsightFacts, 'keepSamples' | 'keepSpeech'>;
  /** Asks for the activity of a session to be measured, some minutes later. */
  readonly askForTalk: (session: ActivityMessage) => Promise<void>;
} & Pick<WorkerOptions<typeof MeasuredEvent>, 'recordRefusals'>;

/**
 * Stores the platform's messages from the network-samples queue. A message usually has a minute of samples or of speech of one
 * participant, and may come twice and late. It is stored under its own time and id, even if its participant is not known yet.
 */
export const createHandler = ({ queue, timeBounds, facts, askForTalk, recordRefusals }: Deps) =>
  worker(
    {
      name: 'record-network-samples',
      schema: MeasuredEvent,
      queue,
      factsOf,
      check: (event, arrivedAt) => refuseFarTimes(event, arrivedAt, timeBounds),
      lagMetric: 'NetworkSampleLag',
      recordRefusals,
    },
    async (event) => {
      if (event.type !== 'room.client.spoke') return facts.keepSamples(event);
      await facts.keepSpeech(event);
      await askForTalk({ organizationId: event.organizationId, roomSessionId: event.data.roomSessionId });
    },
  );

function factsOf({
  id: eventId,
  type,
  organizationId,
  data: { roomSessionId, participantId },
}: MeasuredEvent): LogFacts {
  return { eventId, type, organizationId, roomSessionId, participantId };
}
