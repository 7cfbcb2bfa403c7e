import type { OrganizationId } from './contracts/organization.ts';
import { isGone, type StoredTranscription } from './domain/transcription.ts';
import { addToLogContext } from './logger.ts';

type Finder = {
  find(organizationId: OrganizationId, transcriptionId: string): Promise<StoredTranscription | undefined>;
};

/**
 * The repository for a worker: of a transcription that it finds, the log says from then on which call of the API created
 * it. Transcribe's events do not tell, nor does a schedule.
 */
export function correlated<Repository extends Finder>(repository: Repository): Repository {
  return {
    ...repository,
    async find(organizationId: OrganizationId, transcriptionId: string) {
      const stored = await repository.find(organizationId, transcriptionId);
      if (!isGone(stored)) addToLogContext({ correlationId: stored.correlationId });
      return stored;
    },
  };
}
