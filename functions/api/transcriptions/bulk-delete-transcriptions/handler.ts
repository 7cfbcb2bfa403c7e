import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { idempotent, type RunOnce } from '#shared/http/idempotent.ts';
import type { MessageSender } from '#shared/queue/send.ts';

type Deps = {
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly bulkDeletes: MessageSender<BulkDeleteMessage>;
};

const definition = transcriptionEndpoints.bulkDeleteTranscriptions;

/**
 * POST /v1/transcriptions/bulk-delete: responds when the queue holds the request. One message has all its ids, so that a
 * request has one message in the queue at a time. It does not check whether the ids exist.
 */
export const createHandler = ({ admission, runOnce, bulkDeletes }: Deps) =>
  endpoint(
    definition,
    admission,
    idempotent(definition, runOnce, async ({ organizationId, correlationId, body }) => {
      const transcriptionIds = [...new Set(body.transcriptionIds)];
      await bulkDeletes.send(organizationId, [{ organizationId, transcriptionIds, correlationId }]);
      return { facts: { transcriptions: transcriptionIds.length } };
    }),
  );
