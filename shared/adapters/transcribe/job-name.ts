import { Uuid } from '../../contracts/fields.ts';
import { OrganizationId } from '../../contracts/organization.ts';
import type { TranscriptionKey } from '../../domain/transcription.ts';

/**
 * The only possible job name of a work, `<prefix>.<organizationId>.<work id>`. Starting the job twice is a conflict, and the event
 * of its end identifies the work. Organization ids and UUIDs contain no dots.
 */
export function jobName(prefix: string, { organizationId, transcriptionId }: TranscriptionKey): string {
  return `${prefix}.${organizationId}.${transcriptionId}`;
}

/** Parses the key of the work from a job name. Returns undefined for a job of another deployment. */
export function parseJobName(prefix: string, name: string): TranscriptionKey | undefined {
  if (!name.startsWith(`${prefix}.`)) return undefined;
  const [organizationId, transcriptionId, ...rest] = name.slice(prefix.length + 1).split('.');
  const owner = {
    organization: OrganizationId.safeParse(organizationId),
    transcription: Uuid.safeParse(transcriptionId),
  };
  if (!owner.organization.success || !owner.transcription.success || rest.length > 0) return undefined;
  return { organizationId: owner.organization.data, transcriptionId: owner.transcription.data };
}
