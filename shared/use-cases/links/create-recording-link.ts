import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { RecordingLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { mediaTypeOf, recordingFileKeyOf } from '#shared/domain/links/recording-link.ts';
import { basename } from '#shared/domain/transcriptions/transcript-location.ts';
import { existing, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { RecordingFileNotFound, RecordingLinksDisabled, ServiceUnavailable } from '#shared/runtime/errors.ts';
import type { RecordingTracks } from '../transcriptions/parts/ports.ts';
import type { TranscriptionStore } from '../transcriptions/ports.ts';
import type { LinkSigner } from './ports.ts';

/** What links to the recordings need that the stage allows. */
export type RecordingFiles = {
  readonly bucket: string;
  readonly signer: LinkSigner;
  /** The media type of the file that the link of a HEAD request opens, or that it does not exist. */
  readonly look: (link: string) => Promise<{ readonly contentType: string | undefined } | 'missing'>;
};

/** The stores that creating a link to a recording needs. `files` is undefined if the stage allows no such links. */
export type RecordingLinkDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly tracks: RecordingTracks;
  readonly files: RecordingFiles | undefined;
};

/** For how long a link to a recording is valid. */
const validForSeconds = 15 * 60;
/** A type that no browser shows. */
const unknownType = 'application/octet-stream';

/**
 * Creates a link of S3 to the recording's file of a transcription. Throws `RecordingLinksDisabled` if the stage allows none, and
 * `RecordingFileNotFound` if there is no such file.
 */
export async function createRecordingLink(
  { transcriptions, tracks, files }: RecordingLinkDependencies,
  organizationId: OrganizationId,
  transcriptionId: string,
  participantId: string | undefined,
): Promise<RecordingLink> {
  if (!files) throw new RecordingLinksDisabled();
  const record = existing(await transcriptions.find(organizationId, transcriptionId));
  const found = needsTracks(record, participantId) ? await tracks.listTracks(organizationId, record.recordingId) : [];
  const key = recordingFileKeyOf(record, found, participantId, files.bucket);
  const looked = await files.look((await sign(files, { key, validForSeconds, method: 'HEAD' })).accessLink);
  if (looked === 'missing') throw new RecordingFileNotFound('The file of the recording does not exist (any more).');
  const contentType = mediaTypeOf(key, looked.contentType);
  const file = { key, filename: basename(key) ?? 'recording', contentType: contentType ?? unknownType };
  const link = await sign(files, { ...file, disposition: 'inline', validForSeconds, method: 'GET' });
  const expiresAt = new Date(link.expires).toISOString();
  return { url: link.accessLink, expiresAt, ...(contentType !== undefined && { contentType }) };
}

function needsTracks(
  record: TranscriptionRecord,
  participantId: string | undefined,
): record is TranscriptionRecord & { readonly recordingId: string } {
  return record.recordingId !== undefined && (participantId !== undefined || !record.location);
}

async function sign({ signer }: RecordingFiles, request: Parameters<LinkSigner['sign']>[0]) {
  const link = await signer.sign(request);
  if (!link) throw new ServiceUnavailable('No session lasts as long as the link.');
  return link;
}
