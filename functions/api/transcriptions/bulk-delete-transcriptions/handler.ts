import { chunk } from '#shared/chunk.ts';
import { type BulkDeleteMessage, idsPerBulkDeleteMessage } from '#shared/contracts/messages.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { idempotent, type RunOnce } from '#shared/http/idempotent.ts';
import type { MessageSender } from '#shared/queue/send.ts';

type Deps = {
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly bulkDeletes: MessageSender<BulkDeleteMessage>;
  readonly now?: () => Date;
};

const definition = transcriptionEndpoints.bulkDeleteTranscriptions;

/** POST /v1/transcriptions/bulk-delete: responds when the queue holds every id. It does not check whether the ids exist. */
export const createHandler = ({ admission, runOnce, bulkDeletes, now = () => new Date() }: Deps) =>
  endpoint(
    definition,
    admission,
    idempotent(definition, runOnce, async ({ organizationId, correlationId, body }) => {
      const ids = [...new Set(body.transcriptionIds)];
      const acceptedAt = now().toISOString();
      const messages = chunk(ids, idsPerBulkDeleteMessage).map((transcriptionIds, index) => ({
        ...{ organizationId, transcriptionIds, correlationId, acceptedAt },
        ...{ part: index + 1, failedInARow: 0 },
      }));
      await bulkDeletes.send(organizationId, messages);
      return { facts: { transcriptions: ids.length, parts: messages.length } };
    }),
  );
