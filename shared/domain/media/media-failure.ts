import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaRefusal } from './media-refusal.ts';

const codes: Readonly<Record<MediaRefusal, FailureCode>> = {
  not_media: 'unsupported_media',
  no_audio: 'no_audio',
  encrypted: 'media_encrypted',
  truncated: 'media_unreadable',
  unreadable: 'media_unreadable',
  too_scattered: 'media_unreadable',
  unsupported_codec: 'unsupported_media',
  wrong_channels: 'not_two_channels',
  too_long: 'recording_too_long',
  too_large: 'recording_too_large',
  replaced: 'recording_missing',
};

/** The failure code that clients see for a refused media file. */
export function failureCodeOf(refusal: MediaRefusal): FailureCode {
  return codes[refusal];
}
