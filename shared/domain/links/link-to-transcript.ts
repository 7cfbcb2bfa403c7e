import type { TranscriptFormat } from '#shared/contracts/transcriptions/transcription.ts';
import {
  isGone,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '../transcriptions/transcription.ts';

/** A link of this API, as the service stores it under the hash of its token. */
export type LinkToTranscript = TranscriptionKey & {
  readonly format?: TranscriptFormat | undefined;
  readonly createdAt: string;
  /** The link opens the transcript before this time. */
  readonly validUntil: string;
  /** The transcription's `linksValidFrom` when the link was created. Every revocation changes that of the transcription. */
  readonly linksValidFrom?: string | undefined;
};

/** A new link to a transcription. It is valid for exactly as long as was requested. */
export function newLink(
  { organizationId, transcriptionId, linksValidFrom }: TranscriptionRecord,
  { format, validForSeconds }: { readonly format?: TranscriptFormat | undefined; readonly validForSeconds: number },
  now: Date,
): LinkToTranscript {
  return {
    organizationId,
    transcriptionId,
    format,
    createdAt: now.toISOString(),
    validUntil: new Date(now.getTime() + validForSeconds * 1000).toISOString(),
    linksValidFrom,
  };
}

/** True from the millisecond on at which the link ends. */
export function hasExpired({ validUntil }: LinkToTranscript, now: Date): boolean {
  return now.getTime() >= Date.parse(validUntil);
}

/** The whole seconds until the link ends, rounded up, and one at least: S3 signs for whole seconds. */
export function secondsLeft({ validUntil }: LinkToTranscript, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(validUntil) - now.getTime()) / 1000));
}

/** The transcription of a link, or undefined if it was deleted or its links were revoked after this one was created. */
export function linkedTranscription(
  link: LinkToTranscript,
  stored: StoredTranscription | undefined,
): TranscriptionRecord | undefined {
  return !isGone(stored) && stored.linksValidFrom === link.linksValidFrom ? stored : undefined;
}

/** A `linksValidFrom` that no link has yet, also if the clocks of two functions differ. */
export function nextLinksValidFrom({ linksValidFrom }: TranscriptionRecord, now: Date): string {
  const last = linksValidFrom === undefined ? 0 : Date.parse(linksValidFrom);
  return new Date(Math.max(now.getTime(), last + 1)).toISOString();
}
