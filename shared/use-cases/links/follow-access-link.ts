import { LinkToken } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { type DownloadableFile, downloadableFile } from '#shared/domain/links/access-link.ts';
import { hasExpired, type LinkToTranscript, linkedTranscription } from '#shared/domain/links/link-to-transcript.ts';
import { AccessLinkNotAllowed, LinkNotFound, TranscriptNotFound } from '#shared/runtime/errors.ts';
import type { TranscriptionStore } from '../transcriptions/ports.ts';
import type { LinkStore } from './ports.ts';

/** The stores, settings and clock that opening a link needs. */
export type FollowLinkDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly links: Pick<LinkStore, 'find'>;
  readonly transcriptsBucket: string;
  /** Days for which transcripts are kept. Undefined: without limit. */
  readonly retentionDays?: number | undefined;
  readonly now?: () => Date;
};

/**
 * The link of a token, and its file. Throws `LinkNotFound`, whatever the reason is. A text that cannot be a token costs no
 * read, and a token that does not exist or has expired costs one.
 */
export async function linkedFile(
  { transcriptions, links, transcriptsBucket, retentionDays, now = () => new Date() }: FollowLinkDependencies,
  token: string | undefined,
): Promise<{ readonly link: LinkToTranscript; readonly file: DownloadableFile }> {
  const parsed = LinkToken.safeParse(token);
  const link = parsed.success ? await links.find(parsed.data) : undefined;
  if (!link || hasExpired(link, now())) throw new LinkNotFound();
  const stored = await transcriptions.find(link.organizationId, link.transcriptionId);
  const record = linkedTranscription(link, stored);
  // The reads took time, in which the link may have ended.
  if (!record || hasExpired(link, now())) throw new LinkNotFound();
  try {
    return { link, file: downloadableFile(record, link.format, transcriptsBucket, { retentionDays, now: now() }) };
  } catch (error) {
    if (error instanceof TranscriptNotFound || error instanceof AccessLinkNotAllowed) throw new LinkNotFound();
    throw error;
  }
}
