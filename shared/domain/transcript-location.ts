import type { OrganizationId } from '../contracts/organization.ts';
import type { TranscriptFormat } from '../contracts/transcription.ts';
import type { TranscriptionKey } from './transcription.ts';

const maxFilenameBytes = 255;

/** First part of the key of everything that this service itself writes to the transcripts bucket. */
const generated = 'generated/';

/** The folder of the files made for one transcription, and of nothing else: deleting it deletes all of them. */
export function generatedFolder({ organizationId, transcriptionId }: TranscriptionKey): string {
  return `${generatedFolders(organizationId)}${transcriptionId}/`;
}

/** Where those folders of an organization are, and nothing else. */
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

/** Where Transcribe writes its own output. */
export function jobOutputKey(id: TranscriptionKey): string {
  return `${generatedFolder(id)}transcribe-output.json`;
}

/** True for a key that only this service may have written: no event can hand in a file there. */
export function isGenerated(key: string): boolean {
  return key.startsWith(generated);
}

/** The last part of a path, of a length that file systems and links take: it must land where its user wants it. */
export function basename(path: string): string | undefined {
  const name = path.split(/[/\\]/).findLast((part) => !['', '.', '..'].includes(part));
  const characters = [...(name ?? '')];
  while (Buffer.byteLength(characters.join('')) > maxFilenameBytes) characters.shift(); // the end has the extension
  return name && characters.join('');
}
