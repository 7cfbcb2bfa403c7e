import { GetTranscriptionJobCommand, NotFoundException, type TranscriptionJob } from '@aws-sdk/client-transcribe';
import { jobName } from '#shared/adapters/transcriptions/job-name.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { transcribe } from '../machine.ts';

/** The name of the stack (infra/app.ts), the prefix of every job name. */
export const jobNamePrefix = 'Roomscribe-dev';

/** Reads the job of a transcription from Transcribe. Returns undefined if there is none. */
export async function jobOf(organizationId: string, transcriptionId: string): Promise<TranscriptionJob | undefined> {
  const owner = { organizationId: OrganizationId.parse(organizationId), transcriptionId };
  const command = new GetTranscriptionJobCommand({ TranscriptionJobName: jobName(jobNamePrefix, owner) });
  try {
    return (await transcribe.send(command)).TranscriptionJob;
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}
