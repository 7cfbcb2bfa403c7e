import type { FileLocation } from '../contracts/events.ts';
import type { OrganizationId } from '../contracts/organization.ts';
import type { TranscriptFormat } from '../contracts/transcription.ts';
import type { TranscriptionKey } from './transcription.ts';

const maxFilenameBytes = 255;

/** Prefix of the keys of all objects that the service itself writes to the transcripts bucket. */
const generated = 'generated/';
/** Prefix of the keys of all objects that a platform writes to the transcripts bucket. */
const live = 'live/';

/** The folder that has all generated files of one transcription and no other files. */
export function generatedFolder({ organizationId, transcriptionId }: TranscriptionKey): string {
  return `${generated}${organizationId}/${transcriptionId}/`;
}

/** The folder that has all files of one live transcription and no other files. */
export function liveFolder({ organizationId, transcriptionId }: TranscriptionKey): string {
  return `${live}${organizationId}/${transcriptionId}/`;
}

/** The folders of the transcripts bucket that belong to one transcription. Everything in them goes when it is deleted. */
export function foldersOf(owner: TranscriptionKey): readonly string[] {
  return [generatedFolder(owner), liveFolder(owner)];
}

/** The folders of the transcripts bucket that belong to one organization. */
export function foldersOfOrganization(organizationId: OrganizationId): readonly string[] {
  return [`${generated}${organizationId}/`, `${live}${organizationId}/`];
}

/**
 * True if a file may belong to a live transcription: it lies in the transcription's own folder, or in a bucket that the service
 * does not touch.
 */
export function mayBelongTo(
  owner: TranscriptionKey,
  { bucket, key }: FileLocation,
  transcriptsBucket: string,
): boolean {
  return bucket !== transcriptsBucket || key.startsWith(liveFolder(owner));
}

/** The key of a rendered transcript. */
export function generatedFileKey(id: TranscriptionKey, format: TranscriptFormat): string {
  return `${generatedFolder(id)}${generatedFilename(id, format)}`;
}

/** The name that clients see and download. */
export function generatedFilename(
  { transcriptionId }: Pick<TranscriptionKey, 'transcriptionId'>,
  format: TranscriptFormat,
): string {
  return `${transcriptionId}.${format}`;
}

/** The key of Transcribe's own output. */
export function jobOutputKey(id: TranscriptionKey): string {
  return `${generatedFolder(id)}transcribe-output.json`;
}

/** The last part of a path, cut to a length that file systems and links accept. It contains no directory, so a download cannot leave its folder. */
export function basename(path: string): string | undefined {
  const name = path.split(/[/\\]/).findLast((part) => !['', '.', '..'].includes(part));
  const characters = [...(name ?? '')];
  while (Buffer.byteLength(characters.join('')) > maxFilenameBytes) characters.shift(); // keep the end, which has the extension
  return name && characters.join('');
}
