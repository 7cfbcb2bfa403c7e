import { MediaFormat } from '@aws-sdk/client-transcribe';
import { JobFailure } from './failure.ts';

/** How many bytes at the start of a file `detectFormat` needs to see. */
export const SIGNATURE_BYTES = 12;

/** Detects the format by the first bytes of a file, not by its name. Undefined for unknown bytes. */
export function detectFormat(head: Buffer): MediaFormat | undefined {
  const text = head.toString('latin1', 0, SIGNATURE_BYTES);
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE') return 'wav';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('#!AMR')) return 'amr';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'webm';
  if (text.slice(4, 8) === 'ftyp') return text.slice(8, 11) === 'M4A' ? 'm4a' : 'mp4';
  if (text.startsWith('ID3') || isMpegFrame(head)) return 'mp3';
  return undefined;
}

function isMpegFrame(head: Buffer): boolean {
  const [first = 0, second = 0] = head;
  const hasSync = first === 0xff && (second & 0xe0) === 0xe0;
  const isLayerThree = (second & 0x06) === 0x02;
  return hasSync && isLayerThree;
}

/**
 * Decides the format of a file as Amazon does. The requested format must match the detected one. A file of unknown
 * bytes is invalid if it claims a supported format, and unsupported otherwise.
 */
export function settleFormat(
  detected: MediaFormat | undefined,
  requested: MediaFormat | undefined,
  key: string,
): MediaFormat {
  if (detected === undefined) {
    const claimed = requested ?? key.split('.').at(-1)?.toLowerCase() ?? '';
    const isSupported = Object.values<string>(MediaFormat).includes(claimed);
    throw new JobFailure(isSupported ? 'invalidMedia' : 'unsupportedFormat');
  }
  if (requested !== undefined && container(requested) !== container(detected)) throw new JobFailure('formatMismatch');
  return requested ?? detected;
}

// M4A is MP4 with audio only. Files of both kinds use both names.
const container = (format: MediaFormat): MediaFormat => (format === 'm4a' ? 'mp4' : format);
