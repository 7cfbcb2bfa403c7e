import { createHash } from 'node:crypto';
import type { WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import { planKey } from '#shared/domain/transcriptions/transcript-location.ts';
import type { TranscriptFileStore } from '#shared/use-cases/transcriptions/ports.ts';

/** Above the largest plan: 1 000 files with the longest names. */
const maxPlanBytes = 8 * 1024 * 1024;

/** Reads the plan of a work, which prepare-media has written and nobody changes. Undefined if it does not exist (any more). */
export async function readPlan(
  files: Pick<TranscriptFileStore, 'read'>,
  planKey: string,
): Promise<WorkPlan | undefined> {
  const file = await files.read(planKey, maxPlanBytes);
  if (file === 'too-large') throw new Error('A plan is larger than any that prepare-media writes.');
  return file === 'missing' ? undefined : (JSON.parse(file.text) as WorkPlan);
}

/** Writes a plan, and returns its key. Another plan has another key. */
export async function writePlan(
  files: Pick<TranscriptFileStore, 'write'>,
  key: WorkKey,
  plan: WorkPlan,
): Promise<string> {
  const body = JSON.stringify(plan);
  const location = planKey(key, createHash('sha256').update(body).digest('hex'));
  await files.write(location, { body, contentType: 'application/json' });
  return location;
}
