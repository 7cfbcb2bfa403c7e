import { vi } from 'vitest';
import { createHandler } from '#functions/workers/platforms/record-room-events/handler.ts';
import type { RecordSessionDependencies } from '#shared/use-cases/insights/session-update.ts';
import { anyTime, sqsEvent } from '../http/sqs-events.ts';

type Context = Parameters<ReturnType<typeof createHandler>>[1];

/** The worker of room events over these stores, without recordings and transcriptions. It returns the ids of the messages that failed. */
export function roomEventsWorker(deps: RecordSessionDependencies, context?: Context) {
  const unexpected = vi.fn();
  const handler = createHandler({
    ...{
      ...deps,
      queue: { sqs: { send: async () => ({}) }, url: 'url' },
      registration: { register: unexpected, claimFiles: unexpected, storeTrack: unexpected },
    },
    transcriptions: { beginLive: unexpected, endLive: unexpected },
    files: { removeLive: unexpected },
    ...{ transcriptsBucket: 'none', timeBounds: anyTime },
  });
  return async (...events: readonly object[]): Promise<string[]> => {
    const { batchItemFailures } = await handler(sqsEvent(...events), context);
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort();
  };
}
