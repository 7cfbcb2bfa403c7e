import { Uuid } from '../../contracts/fields.ts';
import { OrganizationId } from '../../contracts/organization.ts';
import type { TranscriptionKey } from '../../domain/transcription.ts';

/**
 * The one name that a transcription's job can have, `<prefix>.<organizationId>.<transcriptionId>`: starting it twice is a
 * conflict, and the event of its end says whose it is. No organization id and no UUID holds a dot.
 */
export function jobName(prefix: string, { organizationId, transcriptionId }: TranscriptionKey): string {
  return `${prefix}.${organizationId}.${transcriptionId}`;
}

/** The owner in a job's name; undefined for a job of somebody else's. */
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
