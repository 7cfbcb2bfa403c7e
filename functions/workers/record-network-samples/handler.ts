import { ClientSampled } from '#shared/contracts/network-samples.ts';
import type { LogFacts } from '#shared/logger.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';
import type { InsightFacts } from '#shared/storage/insights/facts.ts';

type Deps = { readonly queue: WorkerQueue; readonly facts: Pick<InsightFacts, 'keepSamples'> };

/**
 * Fed by the platform through the network-samples queue, mostly with a minute of one participant, possibly twice and late.
 * Each message is kept under its own time and id, whether or not its participant is known yet.
 */
export const createHandler = ({ queue, facts }: Deps) =>
  worker(
    { name: 'record-network-samples', schema: ClientSampled, queue, factsOf, lagMetric: 'NetworkSampleLag' },
    (event) => facts.keepSamples(event),
  );

function factsOf({
  id: eventId,
  type,
  organizationId,
  data: { roomSessionId, participantId },
}: ClientSampled): LogFacts {
  return { eventId, type, organizationId, roomSessionId, participantId };
}
