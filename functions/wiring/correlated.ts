import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { isGone } from '#shared/domain/transcriptions/transcription.ts';
import { addToLogContext } from '#shared/runtime/logger.ts';
import type { TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';

/**
 * The store of a worker's transcriptions. After it finds one, the log lines have the correlation id of the API call that
 * created it, which neither Transcribe's events nor a schedule carry.
 */
export function correlated<Store extends Pick<TranscriptionStore, 'find'>>(store: Store): Store {
  return {
    ...store,
    async find(organizationId: OrganizationId, transcriptionId: string) {
      const stored = await store.find(organizationId, transcriptionId);
      if (!isGone(stored)) addToLogContext({ correlationId: stored.correlationId });
      return stored;
    },
  };
}
