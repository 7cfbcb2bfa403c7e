import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { transcriptFiles } from '../../../shared/adapters/s3/transcript-files.ts';
import type { OrganizationId } from '../../../shared/contracts/organization.ts';
import type { TranscriptionKey } from '../../../shared/domain/transcription.ts';
import { labelsOf } from '../../../shared/domain/without-speakers.ts';
import { transcriptionRepository } from '../../../shared/storage/transcriptions/repository.ts';
import { speakerRepository, withSpeakers } from '../../../shared/storage/transcriptions/speakers.ts';
import { forgetSpeakers } from '../../../shared/use-cases/forget-speakers.ts';
import type { Progress } from '../../shared/progress-bar.ts';
import type { Deployment } from './deployment.ts';
import { eraseKeys } from './objects.ts';
import type { Removal } from './removal.ts';

const speakersLabel = 'speakers of transcripts';
const missingLabel = 'changed rows of transcriptions';

/**
 * Removes from these transcripts what is known to be the person's: their turns and names from every file, and the row of the speakers. What a
 * transcript lacks no longer names them. It returns how many speakers and rows.
 */
export async function removeFromTranscripts(
  deployment: Deployment,
  organizationId: OrganizationId,
  { transcriptionIds, participantIds }: { transcriptionIds: readonly string[]; participantIds: ReadonlySet<string> },
  removal: Removal,
  progress: Progress,
): Promise<Map<string, number>> {
  const { documents, s3, tables, buckets } = deployment;
  const speakers = speakerRepository(documents, tables.transcriptSpeakers);
  const files = withSpeakers(transcriptFiles(s3, buckets.transcripts), speakers);
  const removeFiles = (keys: readonly string[]) => eraseKeys(s3, buckets.transcripts, keys);
  const counts = new Map([
    [speakersLabel, 0],
    [missingLabel, 0],
  ]);
  for (const [index, transcriptionId] of transcriptionIds.entries()) {
    const key = { organizationId, transcriptionId };
    const row = await speakers.find(key);
    const found = row ? labelsOf(row, participantIds).size : 0;
    if (found > 0)
      await removal.change(
        async () => void (await forgetSpeakers({ speakers, files, removeFiles }, key, participantIds)),
      );
    counts.set(speakersLabel, (counts.get(speakersLabel) ?? 0) + found);
    if (await forgetMissing(deployment, key, participantIds, removal))
      counts.set(missingLabel, (counts.get(missingLabel) ?? 0) + 1);
    progress.show(`${removal.verb} the person in transcripts`, index + 1, transcriptionIds.length);
  }
  return counts;
}

/** Takes the person out of the stretches that a transcript lacks. Returns whether they were in it. */
async function forgetMissing(
  { documents, tables }: Deployment,
  key: TranscriptionKey,
  participantIds: ReadonlySet<string>,
  removal: Removal,
): Promise<boolean> {
  const stored = await transcriptionRepository(documents, tables.transcriptions).find(
    key.organizationId,
    key.transcriptionId,
  );
  const missing = stored && 'missing' in stored ? stored.missing : undefined;
  const isHers = ({ participantId }: { readonly participantId: string | null }) =>
    participantIds.has(participantId ?? '');
  if (!missing?.some(isHers)) return false;
  const update = new UpdateCommand({
    TableName: tables.transcriptions,
    Key: key,
    UpdateExpression: 'SET missing = :missing',
    ConditionExpression: 'attribute_exists(missing)',
    ExpressionAttributeValues: {
      ':missing': missing.map((span) => (isHers(span) ? { ...span, participantId: null } : span)),
    },
  });
  await removal.change(async () => void (await documents.send(update)));
  return true;
}
