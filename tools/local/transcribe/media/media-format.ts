import { MediaFormat } from '@aws-sdk/client-transcribe';
import { JobFailure } from '../failure.ts';

/** How many bytes at the start of a file `detectFormat` needs to see. The header of a WebM file is shorter. */
export const SIGNATURE_BYTES = 256;

/**
 * Detects the format by the first bytes of a file, not by its name. Undefined for bytes that Amazon does not support, such as
 * Matroska and QuickTime, which begin like WebM and MP4.
 */
export function detectFormat(head: Buffer): MediaFormat | undefined {
  const text = head.toString('latin1', 0, 12);
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WAVE') return 'wav';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('#!AMR')) return 'amr';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return docTypeOf(head) === 'webm' ? 'webm' : undefined;
  if (text.slice(4, 8) === 'ftyp') return mp4Brand(text.slice(8, 12));
  if (text.startsWith('ID3') || isMpegFrame(head)) return 'mp3';
  return undefined;
}

function mp4Brand(brand: string): MediaFormat | undefined {
  if (brand === 'qt  ') return undefined;
  return brand.startsWith('M4A') ? 'm4a' : 'mp4';
}

/** The document type in an EBML header: `webm` or `matroska`. */
function docTypeOf(head: Buffer): string | undefined {
  const at = head.indexOf('\x42\x82', 4, 'latin1');
  const length = (head[at + 2] ?? 0) & 0x7f;
  return at === -1 ? undefined : head.toString('latin1', at + 3, at + 3 + length);
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
