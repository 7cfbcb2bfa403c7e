import { randomBytes } from 'node:crypto';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import type { TranscriptFormat } from '#shared/contracts/transcriptions/transcription.ts';
import type { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { downloadableFile } from '#shared/domain/links/access-link.ts';
import { newLink } from '#shared/domain/links/link-to-transcript.ts';
import { existing } from '#shared/domain/transcriptions/transcription.ts';
import type { TranscriptionStore } from '../transcriptions/ports.ts';
import type { LinkSigner, LinkStore } from './ports.ts';

/** The stores, signer, settings and clock that creating a link needs. */
export type CreateLinkDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly links: Pick<LinkStore, 'add'>;
  readonly signer: LinkSigner;
  readonly apiUrl: string;
  readonly transcriptsBucket: string;
  /** Days for which transcripts are kept. Undefined: without limit. */
  readonly retentionDays?: number | undefined;
  readonly now?: () => Date;
};

type Wanted = { readonly format?: TranscriptFormat | undefined; readonly validForSeconds: number };

/**
 * Creates a link to the file of a transcription: one of S3 if a session that signs outlasts it, otherwise one of this API.
 * Throws an error of `downloadableFile` if there is no file.
 */
export async function createAccessLink(
  {
    transcriptions,
    links,
    signer,
    apiUrl,
    transcriptsBucket,
    retentionDays,
    now = () => new Date(),
  }: CreateLinkDependencies,
  organizationId: OrganizationId,
  transcriptionId: string,
  wanted: Wanted,
): Promise<AccessLink> {
  const record = existing(await transcriptions.find(organizationId, transcriptionId));
  const file = downloadableFile(record, wanted.format, transcriptsBucket, { retentionDays, now: now() });
  const signed = await signer.sign({ ...file, method: 'GET', validForSeconds: wanted.validForSeconds });
  if (signed) return signed;
  const token = randomBytes(32).toString('base64url');
  const link = newLink(record, wanted, now());
  await links.add(token, link);
  const path = selfAuthenticatedEndpoints.followAccessLink.path.replace('{token}', token);
  return { accessLink: `${apiUrl}${path}`, expires: Date.parse(link.validUntil) };
}
