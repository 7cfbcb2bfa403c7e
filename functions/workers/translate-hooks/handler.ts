import { HookMessage } from '#shared/contracts/messages.ts';
import { type WorkerQueue, worker } from '#shared/queue/worker.ts';

/** Turns webhooks into events. */
export const createHandler = ({ queue }: { readonly queue: WorkerQueue }) =>
  worker(
    {
      name: 'translate-hooks',
      schema: HookMessage,
      queue,
      factsOf: ({ organizationId, connectionId }) => ({ organizationId, connectionId }),
    },
    async () => {},
  );
