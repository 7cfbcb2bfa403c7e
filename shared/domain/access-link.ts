import { type TranscriptFormat, transcriptFormats } from '../contracts/transcription.ts';
import { AccessLinkNotAllowed, TranscriptNotFound } from '../errors.ts';
import { contentTypes } from './render-transcript.ts';
import { basename, generatedFileKey, generatedFilename } from './transcript-location.ts';
import type { TranscriptionRecord } from './transcription.ts';

/** The object that a link leads to, and what the download is called. */
export type DownloadableFile = { readonly key: string; readonly filename: string; readonly contentType: string };

/** For how many days from their creation on transcripts are kept; undefined: for ever. */
export type TranscriptRetention = { readonly retentionDays?: number | undefined; readonly now?: () => Date };

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The file behind an access link. Throws `AccessLinkNotAllowed` where there is none to give out (yet), and
 * `TranscriptNotFound` where it was kept its time, or a live transcript is not kept in the format asked for.
 */
export function downloadableFile(
  record: TranscriptionRecord,
  format: TranscriptFormat | undefined,
  transcriptsBucket: string,
  { retentionDays, now = () => new Date() }: TranscriptRetention = {},
): DownloadableFile {
  if (record.state === 'in_progress') {
    throw new AccessLinkNotAllowed(
      'transcription_not_ready',
      'The transcription is in progress. Ask again when its state is "ready".',
    );
  }
  if (record.state === 'failed') {
    throw new AccessLinkNotAllowed(
      'transcription_failed',
      'The transcription failed and has no file. See its "failure".',
    );
  }
  if (record.storageType === 'SELF_HOSTED') {
    throw new AccessLinkNotAllowed(
      'self_hosted',
      'The transcript is in your own storage: this service has no access to it.',
    );
  }
  if (retentionDays && now().getTime() >= Date.parse(record.createdAt) + retentionDays * dayMs) {
    throw new TranscriptNotFound(`Transcripts are kept for ${retentionDays} days, and this one's are over.`);
  }
  return record.type === 'RECORDING_TRANSCRIPTION'
    ? generatedFile(record, format)
    : liveFile(record, format, transcriptsBucket);
}

function generatedFile(record: TranscriptionRecord, format: TranscriptFormat = 'md'): DownloadableFile {
  return {
    key: generatedFileKey(record, format),
    filename: generatedFilename(record, format),
    contentType: contentTypes[format],
  };
}

/** Of a live transcription there is the one file that the platform wrote, in the platform's format. */
function liveFile(
  { location, filename }: TranscriptionRecord,
  format: TranscriptFormat | undefined,
  transcriptsBucket: string,
): DownloadableFile {
  if (location?.bucket !== transcriptsBucket) {
    throw new TranscriptNotFound("The platform's event named no file in the service's storage.");
  }
  const keptFormat = transcriptFormats.find((known) => location.key.toLowerCase().endsWith(`.${known}`));
  if (format && format !== keptFormat) {
    throw new TranscriptNotFound(
      `This live transcript is kept in one format only. Ask without "format"${keptFormat ? ` or with "${keptFormat}"` : ''}.`,
    );
  }
  return {
    key: location.key,
    filename: basename(filename ?? location.key) ?? 'transcript',
    contentType: keptFormat ? contentTypes[keptFormat] : 'application/octet-stream',
  };
}
