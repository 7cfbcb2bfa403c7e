import type { TranscriptionJobMessage, TranscriptionMergeMessage } from '#shared/contracts/messages.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { nextInTurn, type PartKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type { DueStore } from '#shared/use-cases/transcriptions/ports.ts';

/** What follows the end of a part needs. */
export type TurnDependencies = {
  readonly works: Pick<WorkStore, 'find'>;
  readonly due: Pick<DueStore, 'postpone'>;
  /** How many parts of one work are at Transcribe at the same time. */
  readonly partsAtOnce: number;
  readonly sendJobs: (organizationId: OrganizationId, messages: readonly TranscriptionJobMessage[]) => Promise<void>;
  readonly sendMerge: (message: TranscriptionMergeMessage) => Promise<void>;
  readonly now?: () => Date;
};

/**
 * Goes on after a part that has ended: merges the work if all of its parts have ended, or else starts the part whose turn it is now. It is
 * safe to repeat, because a part that is not waiting is not started.
 */
export async function goOnAfter(
  { works, due, partsAtOnce, sendJobs, sendMerge, now = () => new Date() }: TurnDependencies,
  owner: TranscriptionRecord,
  ended: PartKey,
): Promise<void> {
  const { organizationId, workId } = ended;
  const work = await works.find({ organizationId, workId });
  if (!work) return; // the transcription has ended, and the work was removed
  if (work.endedParts >= work.partCount) {
    await sendMerge({ organizationId, workId });
    await due.postpone(owner, deadlines.merge(now()));
    return;
  }
  const part = nextInTurn(ended.part, partsAtOnce);
  if (part <= work.partCount) await sendJobs(organizationId, [startOf(owner, part)]);
}

/** The message that starts a part of the owner's work. */
export function startOf(owner: TranscriptionRecord, part: number): TranscriptionJobMessage {
  const { organizationId, transcriptionId, correlationId } = owner;
  return { organizationId, transcriptionId, correlationId, part, attempt: 0 };
}
