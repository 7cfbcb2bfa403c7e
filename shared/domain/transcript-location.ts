import type { OrganizationId } from '../contracts/organization.ts';
import type { TranscriptFormat } from '../contracts/transcription.ts';
import type { TranscriptionKey } from './transcription.ts';

const maxFilenameBytes = 255;

/** Prefix of the keys of all objects that the service itself writes to the transcripts bucket. */
const generated = 'generated/';

/** The folder that has all generated files of one transcription and no other files. */
export function generatedFolder({ organizationId, transcriptionId }: TranscriptionKey): string {
  return `${generatedFolders(organizationId)}${transcriptionId}/`;
}

/** The folder that has an organization's generated folders and nothing else. */
export function generatedFolders(organizationId: OrganizationId): string {
  return `${generated}${organizationId}/`;
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

/** True for the key of a file that only this service writes. Events must not name such a file. */
export function isGenerated(key: string): boolean {
  return key.startsWith(generated);
}

/** The last part of a path, cut to a length that file systems and links accept. It contains no directory, so a download cannot leave its folder. */
export function basename(path: string): string | undefined {
  const name = path.split(/[/\\]/).findLast((part) => !['', '.', '..'].includes(part));
  const characters = [...(name ?? '')];
  while (Buffer.byteLength(characters.join('')) > maxFilenameBytes) characters.shift(); // keep the end, which has the extension
  return name && characters.join('');
}
