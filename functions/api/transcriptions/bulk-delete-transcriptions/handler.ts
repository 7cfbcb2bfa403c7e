import { type BulkDeleteMessage, idsPerBulkDeleteMessage } from '#shared/contracts/messages.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { idempotent, type RunOnce } from '#shared/http/idempotent.ts';
import type { MessageSender } from '#shared/queue/send.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { TooManyDeletions } from '#shared/runtime/errors.ts';

/** Counts the ids that an organization deletes in an hour. */
type Ceiling = {
  readonly take: (
    organizationId: OrganizationId,
    ids: number,
  ) => Promise<{ readonly allowance: Allowance; readonly giveBack: () => Promise<void> }>;
};

type Deps = {
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly bulkDeletes: MessageSender<BulkDeleteMessage>;
  readonly ceiling: Ceiling;
  readonly now?: () => Date;
};

const definition = transcriptionEndpoints.bulkDeleteTranscriptions;

/**
 * POST /v1/transcriptions/bulk-delete: responds when the queue holds every id. It does not check whether the ids exist. It sends
 * nothing if the organization would exceed its ceiling, and the ids of a call do not count if
 * not all of them could be sent.
 */
export const createHandler = ({ admission, runOnce, bulkDeletes, ceiling, now = () => new Date() }: Deps) =>
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
      const { allowance, giveBack } = await ceiling.take(organizationId, ids.length);
      if (allowance.isExceeded) throw new TooManyDeletions(allowance, ids.length);
      try {
        await bulkDeletes.send(organizationId, messages);
      } catch (error) {
        await Promise.allSettled([giveBack()]); // if this fails too, the ids stay counted until the hour ends
        throw error;
      }
      return { facts: { transcriptions: ids.length, parts: messages.length } };
    }),
  );
