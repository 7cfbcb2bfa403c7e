import { MeasuredEvent } from '#shared/contracts/network-samples.ts';
import { refuseFarTimes, type TimeBounds } from '#shared/domain/event-times.ts';
import type { LogFacts } from '#shared/logger.ts';
import { type WorkerOptions, type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { InsightFacts } from '#shared/storage/insights/facts.ts';

type Deps = {
  readonly queue: WorkerQueue;
  readonly timeBounds: TimeBounds;
  readonly facts: Pick<InsightFacts, 'keepSamples' | 'keepSpeech'>;
} & Pick<WorkerOptions<typeof MeasuredEvent>, 'recordRefusals'>;

/**
 * Stores the platform's messages from the network-samples queue. A message usually has a minute of samples or of speech of one
 * participant, and may come twice and late. It is stored under its own time and id, even if its participant is not known yet.
 */
export const createHandler = ({ queue, timeBounds, facts, recordRefusals }: Deps) =>
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
    (event) => (event.type === 'room.client.spoke' ? facts.keepSpeech(event) : facts.keepSamples(event)),
  );

function factsOf({
  id: eventId,
  type,
  organizationId,
  data: { roomSessionId, participantId },
}: MeasuredEvent): LogFacts {
  return { eventId, type, organizationId, roomSessionId, participantId };
}
