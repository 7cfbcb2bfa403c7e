import * as z from 'zod/mini';
import { Uuid } from '#shared/contracts/common/fields.ts';
import { PartNumber } from '#shared/contracts/messages.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptionKey } from '#shared/domain/transcriptions/transcription.ts';

/** A number as `jobName` writes it: without leading zeros, so that a job has one name. */
const PartOfName = z.optional(z.pipe(z.string().check(z.regex(/^[1-9]\d*$/)), z.pipe(z.transform(Number), PartNumber)));

/** The work of a job, and the number of its part if the work has parts. */
export type JobKey = TranscriptionKey & { readonly part?: number | undefined };

/**
 * The only possible name of a job: `<prefix>.<organizationId>.<work id>`, and `.<part>` if the work has parts. Starting the job twice is
 * a conflict, and the event of its end identifies the work and the part. Organization ids and UUIDs contain no dots.
 */
export function jobName(prefix: string, { organizationId, transcriptionId, part }: JobKey): string {
  return [prefix, organizationId, transcriptionId, ...(part === undefined ? [] : [part])].join('.');
}

/** Parses the key of a job from its name. Returns undefined for a job of another deployment. */
export function parseJobName(prefix: string, name: string): JobKey | undefined {
  if (!name.startsWith(`${prefix}.`)) return undefined;
  const [organizationId, transcriptionId, number, ...rest] = name.slice(prefix.length + 1).split('.');
  const owner = {
    organization: OrganizationId.safeParse(organizationId),
    transcription: Uuid.safeParse(transcriptionId),
  };
  const part = PartOfName.safeParse(number);
  if (!owner.organization.success || !owner.transcription.success || !part.success || rest.length > 0) return undefined;
  return {
    organizationId: owner.organization.data,
    transcriptionId: owner.transcription.data,
    ...(part.data !== undefined && { part: part.data }),
  };
}
