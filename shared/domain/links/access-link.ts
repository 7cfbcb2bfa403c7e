import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { AccessLinkNotAllowed, TranscriptNotFound } from '#shared/runtime/errors.ts';
import { contentTypes } from '../transcriptions/render-transcript.ts';
import { basename, generatedFileKey, generatedFilename, mayBelongTo } from '../transcriptions/transcript-location.ts';
import { isFailed, isInProgress, type TranscriptionRecord } from '../transcriptions/transcription.ts';

/** The object behind an access link, and the name of the download. */
export type DownloadableFile = { readonly key: string; readonly filename: string; readonly contentType: string };

/** For how many days after its creation a transcript is kept. Undefined: without limit. */
export type TranscriptRetention = { readonly retentionDays?: number | undefined; readonly now: Date };

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The file behind an access link. Throws `AccessLinkNotAllowed` if there is no file that may be given out (yet), and
 * `TranscriptNotFound` if its retention is over or a live transcript does not exist in the requested format.
 */
export function downloadableFile(
  record: TranscriptionRecord,
  format: TranscriptFormat | undefined,
  transcriptsBucket: string,
  { retentionDays, now }: TranscriptRetention,
): DownloadableFile {
  if (isInProgress(record)) {
    throw new AccessLinkNotAllowed(
      'transcription_not_ready',
      'The transcription is in progress. Ask again when its state is "ready".',
    );
  }
  if (isFailed(record)) {
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
  if (retentionDays && now.getTime() >= Date.parse(record.createdAt) + retentionDays * dayMs) {
    throw new TranscriptNotFound(`Transcripts are kept for ${retentionDays} days. This transcript has expired.`);
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

/** A live transcription has one file: the platform wrote it, in the platform's format. */
function liveFile(
  record: TranscriptionRecord,
  format: TranscriptFormat | undefined,
  transcriptsBucket: string,
): DownloadableFile {
  const { location, filename } = record;
  if (location?.bucket !== transcriptsBucket || !mayBelongTo(record, location, transcriptsBucket)) {
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
