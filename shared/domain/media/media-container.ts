import type { MediaContainer } from './media-plan.ts';

/** How many bytes at the start of a file `detectContainer` needs. */
export const signatureBytes = 16;

/** A container by its first bytes. `tagged`: an ID3 tag, after which MP3, AAC or FLAC follows. `ebml`: Matroska or WebM. */
export type Signature = Exclude<MediaContainer, 'matroska' | 'webm' | 'quicktime'> | 'ebml' | 'tagged';

const mp4Boxes: readonly string[] = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot'];

/** Detects the container by the first bytes of a file, not by its name. Undefined for bytes that no known container begins with. */
export function detectContainer(head: Uint8Array): Signature | undefined {
  const text = String.fromCharCode(...head.subarray(0, signatureBytes));
  if (/^(RIFF|RF64)....WAVE/s.test(text)) return 'wav';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('#!AMR')) return 'amr';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return 'ebml';
  if (mp4Boxes.includes(text.slice(4, 8))) return 'mp4';
  if (text.startsWith('ID3')) return 'tagged';
  return mpegAudio(head);
}

/** A frame of MPEG audio begins with eleven set bits. The layer tells MP3 from AAC in ADTS. */
function mpegAudio([first = 0, second = 0]: Uint8Array): 'mp3' | 'adts' | undefined {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const layer = (second >> 1) & 3;
  if (layer === 0 && (second & 0xf0) === 0xf0) return 'adts';
  return layer === 1 ? 'mp3' : undefined;
}
