import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { nextLinksValidFrom } from '#shared/domain/links/link-to-transcript.ts';
import { isGone } from '#shared/domain/transcriptions/transcription.ts';
import type { TranscriptionStore } from '../transcriptions/ports.ts';

/** The store and clock that revoking needs. */
export type RevokeLinksDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'revokeLinks'>;
  readonly now?: () => Date;
};

/**
 * Ends every link of this API to a transcription that was created before the call. Does nothing if the transcription does not
 * exist or was deleted, because then its links open nothing.
 */
export async function revokeAccessLinks(
  { transcriptions, now = () => new Date() }: RevokeLinksDependencies,
  organizationId: OrganizationId,
  transcriptionId: string,
): Promise<void> {
  const stored = await transcriptions.find(organizationId, transcriptionId);
  if (!isGone(stored)) await transcriptions.revokeLinks(stored, nextLinksValidFrom(stored, now()));
}
