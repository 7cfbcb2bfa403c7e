import { type BulkDeleteMessage, idsPerBulkDeleteMessage } from '#shared/contracts/messages.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcription-endpoints.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { chunk, type MessageSender } from '#shared/queue/send.ts';

type Deps = { readonly organizationClaim: string; readonly bulkDeletes: MessageSender<BulkDeleteMessage> };

/** POST /v1/transcriptions/bulk-delete: answers once the queue holds every id; whether they exist is no question here. */
export const createHandler = ({ organizationClaim, bulkDeletes }: Deps) =>
  endpoint(transcriptionEndpoints.bulkDeleteTranscriptions, organizationClaim, async ({ organizationId, body }) => {
    const ids = [...new Set(body.transcriptionIds)];
    await bulkDeletes.send(
      chunk(ids, idsPerBulkDeleteMessage).map((transcriptionIds) => ({ organizationId, transcriptionIds })),
    );
    return { facts: { transcriptions: ids.length } };
  });
