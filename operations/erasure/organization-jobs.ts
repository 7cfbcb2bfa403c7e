import { paginateListTranscriptionJobs } from '@aws-sdk/client-transcribe';
import { parseJobName } from '#shared/adapters/transcriptions/job-name.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Deployment } from './deployment.ts';
import type { Removal } from './removal.ts';

/**
 * Removes an organization's Transcribe jobs. Lists them until a pass removes none, because a list can miss jobs that change their position
 * while it is read. Returns how many it removed, and how many still run and cannot be removed.
 */
export async function removeJobs(
  { transcribe, jobNamePrefix }: Deployment,
  organizationId: OrganizationId,
  removal: Removal,
): Promise<{ readonly removed: number; readonly running: number }> {
  const namePart = `${jobNamePrefix}.${organizationId}.`;
  const gone = new Set<string>(); // a list can still contain a job for a while after its deletion
  let running = 0;
  for (let before = -1; before < gone.size; ) {
    before = gone.size;
    running = 0;
    const settings = { client: transcribe, pageSize: 100 };
    for await (const page of paginateListTranscriptionJobs(settings, { JobNameContains: namePart })) {
      for (const { TranscriptionJobName = '' } of page.TranscriptionJobSummaries ?? []) {
        const work = parseJobName(jobNamePrefix, TranscriptionJobName);
        if (work?.organizationId !== organizationId) continue; // another organization's: contains the name, or differs in case
        if (gone.has(TranscriptionJobName)) continue;
        if ((await removal.job(work)) === 'removed') gone.add(TranscriptionJobName);
        else running += 1;
      }
    }
  }
  return { removed: gone.size, running };
}
