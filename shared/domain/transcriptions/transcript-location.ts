import type { FileLocation } from '#shared/contracts/events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptFormat } from '#shared/contracts/transcriptions/transcription.ts';
import type { PartKey, WorkKey } from './parts/transcription-part.ts';
import { type WorkOwner, workOf } from './parts/work.ts';
import type { TranscriptionKey } from './transcription.ts';

const maxFilenameBytes = 255;

/** Prefix of the keys of all objects that the service itself writes to the transcripts bucket. */
const generated = 'generated/';
/** Prefix of the keys of the intermediate files of works that have parts. They expire. */
const work = 'work/';
/** Prefix of the keys of the bodies of webhooks. They expire. */
const hooks = 'hooks/';
/** Prefix of the keys of all objects that a platform writes to the transcripts bucket. */
const live = 'live/';

/** The folder of one transcription's generated files. It also has the output of the work that the transcription began. */
export function generatedFolder({ organizationId, transcriptionId }: TranscriptionKey): string {
  return `${generated}${organizationId}/${transcriptionId}/`;
}

/** The folder that has all files of one live transcription and no other files. */
export function liveFolder({ organizationId, transcriptionId }: TranscriptionKey): string {
  return `${live}${organizationId}/${transcriptionId}/`;
}

/** The folder of a transcription's generated files, and that of its work if it has taken it over from a deleted transcription. */
export function generatedFolders(owner: WorkOwner): readonly string[] {
  return [...new Set([generatedFolder(owner), generatedFolder(workOf(owner))])];
}

/** The folders of the transcripts bucket that belong to one transcription. Everything in them goes when it is deleted. */
export function foldersOf(owner: WorkOwner): readonly string[] {
  return [...generatedFolders(owner), liveFolder(owner)];
}

/** The folders of the transcripts bucket that belong to one organization. */
export function foldersOfOrganization(organizationId: OrganizationId): readonly string[] {
  return [generated, live, work, hooks].map((prefix) => `${prefix}${organizationId}/`);
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

/** The key of the words and speakers from which the formats of a transcript are rendered. */
export function wordsFileKey(id: TranscriptionKey): string {
  return `${generatedFolder(id)}words.json`;
}

/** The name that clients see and download. */
export function generatedFilename(
  { transcriptionId }: Pick<TranscriptionKey, 'transcriptionId'>,
  format: TranscriptFormat,
): string {
  return `${transcriptionId}.${format}`;
}

/** The key of Transcribe's own output of a work. */
export function jobOutputKey(work: TranscriptionKey): string {
  return `${generatedFolder(work)}transcribe-output.json`;
}

/**
 * The key of the output of a job that redacts. Transcribe writes it instead of the key that the job names:
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/API_SyncOutputConfiguration.html
 */
export function redactedKey(outputKey: string): string {
  const name = outputKey.lastIndexOf('/') + 1;
  return `${outputKey.slice(0, name)}redacted-${outputKey.slice(name)}`;
}

/** The folder of a work's intermediate files: its plan, and the media, time maps and outputs of its parts. */
export function workFolder({ organizationId, workId }: WorkKey): string {
  return `${work}${organizationId}/${workId}/`;
}

/** The key of a work's plan. The hash of its content is in the key, so that two plans never overwrite each other. */
export function planKey(key: WorkKey, hash: string): string {
  return `${workFolder(key)}plan-${hash}.json`;
}

/** The key of the media that Transcribe reads for a part. */
export function partMediaKey({ part, ...key }: PartKey, extension: string): string {
  return `${workFolder(key)}${part}.${extension}`;
}

/** The key of the time map of a part, as JSON. */
export function partMapKey({ part, ...key }: PartKey): string {
  return `${workFolder(key)}${part}.map.json`;
}

/** The key of Transcribe's own output of a part. */
export function partOutputKey({ part, ...key }: PartKey): string {
  return `${workFolder(key)}${part}.output.json`;
}

/** The folder of an organization's webhooks. */
export function hooksOfOrganization(organizationId: OrganizationId): string {
  return `${hooks}${organizationId}/`;
}

/** The folder of a connection's webhooks. Their keys sort by the time of their arrival. */
export function hooksFolder({
  organizationId,
  connectionId,
}: {
  organizationId: OrganizationId;
  connectionId: string;
}): string {
  return `${hooks}${organizationId}/${connectionId}/`;
}

/** The last part of a path, cut to a length that file systems and links accept. It contains no directory, so a download cannot leave its folder. */
export function basename(path: string): string | undefined {
  const name = path.split(/[/\\]/).findLast((part) => !['', '.', '..'].includes(part));
  const characters = [...(name ?? '')];
  while (Buffer.byteLength(characters.join('')) > maxFilenameBytes) characters.shift(); // keep the end, which has the extension
  return name && characters.join('');
}
